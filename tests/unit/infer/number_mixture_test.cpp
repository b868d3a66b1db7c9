// Sums of an unknown number of records: all n at once against one n after the other.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/special.hpp"

#include "kinds/number/exact/private_n/sum_mixture.hpp"
#include "kinds/number/exact/sum/lattice.hpp"
#include "number_problems.hpp"

namespace postern::infer {
namespace {

struct Case {
  NumberShape shape;
  double theta;
  std::int64_t n;  ///< about which the noisy values are
};

std::vector<Case> cases() {
  using model::IntegerRange;
  using model::RealRange;
  const RealRange reals{0, 10, Rational(1, 10), {}};
  return {{{"poisson", {}, IntegerRange{0, 20, {}}, {1, 1, 0, 0}}, 4.2, 40},
          {{"poisson", {}, IntegerRange{0, 20, {}}, {1, 1, 0, 0}}, 4.2, 3},
          {{"poisson", {}, IntegerRange{3, 20, {}}, {1, 1, 0, 0}}, 6.2, 25},
          {{"geometric", {}, IntegerRange{0, 20, {}}, {1, 1, 0, 0}}, 0.2, 60},
          {{"exponential", {}, reals, {1, 1, 0, 0}}, 0.4, 30},
          {{"normal-mean", {2}, RealRange{-5, 3, Rational(1, 10), {}}, {0, 4, 0, 0}}, -0.7, 30},
          {{"normal-mean", {2}, RealRange{-5, 5, Rational(1, 10), {}}, {0, 4, 0, 0}}, 0.0, 50},
          {{"pareto", {1}, RealRange{1, 10, Rational(1, 10), {}}, {1, 1, 0, 0}}, 1.2, 30},
          {{"rayleigh", {}, RealRange{0, 10, Rational(1, 2), {}}, {1, 1, 0, 0}}, 0.1, 40},
          {{"rayleigh", {}, reals, {1, 1, 0, 0}}, 0.1, 40},
          // Blocks of levels.
          {{"exponential", {}, RealRange{0, 10, Rational(1, 500), {}}, {1, 1, 0, 0}}, 0.4, 60}};
}

struct NoisyValues {
  std::vector<NoisyValue> sums;
  std::vector<NoisyValue> counts;
};

/// Laplace, Gaussian, several, both kinds, none of n, much noise and little, and some that disagree with each
/// other or with theta.
std::vector<NoisyValues> noisy_values_of(const NumberProblem& problem, const Case& item) {
  const auto& adds = problem.number.values.adds;
  const auto width = static_cast<double>(std::max(-adds.front(), adds.back()));
  std::vector<double> mass;
  model::level_masses(*problem.law, {item.theta, 0}, problem.number, mass);
  double mean = 0;
  for (std::size_t l = 0; l < mass.size(); ++l) mean += mass[l] * static_cast<double>(adds[l]);
  const auto n = static_cast<double>(item.n);
  const double y = std::round(n * mean + 2 * width);
  const auto laplace = [&](double epsilon) { return release::DiscreteLaplace(epsilon / width); };
  const auto gaussian = [&](double s) { return release::DiscreteGaussian(s * s * width * width); };
  const release::DiscreteLaplace some(0.1);
  return {{{{y, laplace(0.9)}}, {{n + 6, some}}},
          {{{y, laplace(0.01)}}, {{n - 9, release::DiscreteLaplace(0.001)}}},
          {{{y, laplace(50)}}, {{n, release::DiscreteLaplace(5)}}},
          {{{y, laplace(1e3)}}, {{n, release::DiscreteLaplace(1e3)}}},
          {{{y, laplace(0.9)}}, {}},
          {{{y, laplace(0.9)}, {std::round(0.8 * y), laplace(0.5)}}, {{n, some}, {n + 3, some}}},
          {{{y, gaussian(3)}}, {{n + 6, release::DiscreteGaussian(40)}}},
          {{{y, gaussian(1)}, {std::round(0.9 * y), laplace(0.4)}},
           {{n, some}, {n, release::DiscreteGaussian(90)}}},
          {{{2 * y, laplace(0.9)}}, {{0.5 * n, some}}},
          {{{-5 * width, laplace(0.9)}}, {{n, some}}}};
}

/// Every n by itself, on the integers and with every level; or, where those are too many, as n that is known.
std::vector<double> one_by_one(const NumberProblem& problem, const CountWeight& weight, double theta,
                               SumLikelihood& sums) {
  const SumLattice lattice = sum_lattice(problem.number);
  std::vector<double> mass;
  model::level_masses(*problem.law, {theta, 0}, problem.number, mass);
  RecordNodes nodes;
  for (std::size_t l = 0; l < mass.size(); ++l) {
    const auto adds = static_cast<double>(problem.number.values.adds[l]);
    if (mass[l] > 0) nodes.add((adds - lattice.base) / lattice.step, mass[l]);
  }
  std::vector<double> out;
  TiltedRecord tilted;
  for (std::int64_t n = 0; n <= weight.most(); ++n) {
    double log_mean = 0;
    if (n > 0 && nodes.at.back() < 1000) {
      const SumNoise noise = sum_noise(problem, lattice, n);
      find_tilt(nodes, static_cast<double>(n), noise, 0, tilted);
      log_mean = log_mean_lattice(nodes, tilted, n, noise, {1e9});
    } else if (n > 0 && problem.sums.size() == 1 && problem.sums.front().y < 0 && lattice.base >= 0) {
      // Below every sum: e^{-rate s}, whose mean is a power.
      const SumNoise noise = sum_noise(problem, lattice, n);
      tilt_record(nodes, -noise.kinks.front().rate, tilted);
      log_mean = noise.log_at(0) + static_cast<double>(n) * tilted.cumulant();
    } else {
      log_mean = sums.log_at(n);
    }
    out.push_back(weight.log_at(static_cast<double>(n)) + log_mean);
  }
  return out;
}

TEST(SumMixture, IsTheSumOverEveryNumberOfRecords) {
  int usable = 0;
  int all = 0;
  for (const Case& item : cases()) {
    NumberProblem problem = number_problem(item.shape);
    problem.total = LatentTotal{3 * item.n, all % 2 == 0 ? 0 : -0.01};
    const std::vector<NoisyValues> noisy_values = noisy_values_of(problem, item);
    for (std::size_t i = 0; i < noisy_values.size(); ++i, ++all) {
      problem.sums = noisy_values[i].sums;
      problem.counts = noisy_values[i].counts;
      const CountWeight weight(problem);
      const RecordLaw record(problem, static_cast<double>(item.n));
      SumLikelihood sums(problem, record, {item.theta, 0});
      const SumMixture mixture(problem, weight, sums, {});
      if (!mixture.usable()) continue;
      ++usable;
      const std::vector<double> log_value = one_by_one(problem, weight, item.theta, sums);
      const double log_sum = log_sum_exp(log_value);
      // Frequencies past the gaps of a lattice count a little where there is next to no noise.
      const double sharp = i == 3 ? 10 : 1;
      EXPECT_NEAR(mixture.log_sum(), log_sum, sharp * 5e-8)
          << item.shape.family << item.n << " noisy values " << i;
      const TotalTable table = mixture.table();
      double below = 0;
      for (std::size_t n = 0; n < log_value.size(); ++n) {
        below += std::exp(log_value[n] - log_sum);
        EXPECT_NEAR(table.cdf(static_cast<double>(n) + 0.5), below, 5e-8) << item.shape.family << i;
      }
    }
  }
  EXPECT_GE(usable, all * 9 / 10);
}

}  // namespace
}  // namespace postern::infer
