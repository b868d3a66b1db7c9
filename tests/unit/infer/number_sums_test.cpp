// The exact engine against the definition: every tuple of levels of a few records.

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "postern/core/special.hpp"
#include "postern/infer/kinds/number/exact/posterior.hpp"

#include "kinds/number/exact/private_n/sum_mixture.hpp"
#include "kinds/number/exact/private_n/total_table.hpp"
#include "kinds/number/exact/sum/enumeration.hpp"
#include "kinds/number/exact/sum/lattice.hpp"
#include "kinds/number/exact/sum/sum_likelihood.hpp"
#include "number_problems.hpp"

namespace postern::infer {
namespace {

/// log p(sums | theta, n) by listing.
double listed(const NumberProblem& problem, double theta, int n) {
  std::vector<double> mass;
  model::level_masses(*problem.law, {theta, 0}, problem.number, mass);
  const auto& adds = problem.number.values.adds;
  double sum = 0;
  const std::function<void(int, double, std::int64_t)> place = [&](int left, double weight, std::int64_t s) {
    if (left == 0) {
      double log_noise = 0;
      for (const NoisyValue& noisy_value : problem.sums)
        log_noise += release::log_pmf(noisy_value.law, noisy_value.y - static_cast<double>(s));
      for (const NoisyValue& noisy_value : problem.mirrored_sums)
        log_noise +=
            release::log_pmf(noisy_value.law, noisy_value.y - static_cast<double>(n * adds.back() - s));
      sum += weight * std::exp(log_noise);
      return;
    }
    for (std::size_t l = 0; l < mass.size(); ++l) place(left - 1, weight * mass[l], s + adds[l]);
  };
  place(n, 1, 0);
  return std::log(sum);
}

struct Case {
  NumberShape shape;
  double theta;
};

std::vector<Case> all_families() {
  using model::IntegerRange;
  using model::RealRange;
  const RealRange reals{0, 3, Rational(1, 2), {}};
  const RealRange from_one{1, 4, Rational(1, 2), {}};
  const IntegerRange wholes{0, 6, {}};
  return {{{"binomial", {6}, wholes, {1, 1, 0, 0}}, 0.3},
          {{"poisson", {}, wholes, {1, 1, 0, 0}}, 2.5},
          {{"poisson", {}, wholes, {1, 1, 0, 0}, model::MapTo{2}}, 5.5},
          {{"poisson", {}, IntegerRange{2, 6, {}}, {1, 1, 0, 0}, model::Drop{}}, 4.0},
          {{"geometric", {}, wholes, {1, 1, 0, 0}}, 0.4},
          {{"negative-binomial", {Rational(5, 2)}, wholes, {1, 1, 0, 0}}, 0.5},
          {{"exponential", {}, reals, {1, 1, 0, 0}}, 0.8},
          {{"gamma", {Rational(5, 2)}, reals, {1, 1, 0, 0}}, 1.5},
          {{"normal-mean", {2}, RealRange{-2, 1, Rational(1, 2), {}}, {0, 4, 0, 0}}, -0.3},
          {{"pareto", {1}, from_one, {1, 1, 0, 0}}, 1.2},
          {{"weibull", {Rational(3, 2)}, reals, {1, 1, 0, 0}}, 0.7},
          {{"rayleigh", {}, reals, {1, 1, 0, 0}}, 0.4},
          {{"half-normal", {}, reals, {1, 1, 0, 0}}, 0.5},
          {{"maxwell", {}, reals, {1, 1, 0, 0}}, 0.6}};
}

/// Noisy values that suit the width of what the levels add: one Laplace, one Gaussian, two, and both kinds.
// The last is far from anything possible.
std::vector<std::vector<NoisyValue>> noisy_values_of(const NumberProblem& problem) {
  const auto& adds = problem.number.values.adds;
  const auto width = static_cast<double>(adds.back() - adds.front());
  const double y = std::round(2.2 * width) + 3 * static_cast<double>(adds.front());
  const release::DiscreteLaplace laplace(1.5 / width);
  const release::DiscreteGaussian gaussian(0.3 * width * width);
  return {{{y, laplace}},
          {{y, gaussian}},
          {{y, laplace}, {std::round(0.8 * y), laplace}},
          {{y, gaussian}, {std::round(0.5 * y), gaussian}},
          {{y, laplace}, {std::round(0.7 * y), gaussian}},
          {{y + 0.37, release::Laplace(width / 1.5)}, {0.81 * y, release::Gaussian(0.3 * width * width)}},
          {{-9 * width, laplace}, {-10 * width, gaussian}}};
}

TEST(NumberSums, AreThoseOfEveryTupleOfLevels) {
  for (const Case& item : all_families()) {
    NumberProblem problem = number_problem(item.shape);
    problem.total = LatentTotal{6, 0};
    for (const auto& noisy_values : noisy_values_of(problem)) {
      problem.sums = noisy_values;
      const RecordLaw record(problem, 1);
      SumLikelihood sums(problem, record, {item.theta, 0});
      for (int n = 0; n <= 5; ++n) {
        const double right = listed(problem, item.theta, n);
        EXPECT_NEAR(sums.log_at(n) + noise_constant(problem), right, 1e-10) << item.shape.family << n;
        EXPECT_NEAR(sums.log_at(n, {}) + noise_constant(problem), right, 1e-10) << item.shape.family << n;
      }
    }
  }
}

TEST(NumberSums, MirroredSumsSeeTheRest) {
  NumberProblem problem = number_problem({"binomial", {6}, model::IntegerRange{0, 6, {}}, {1, 1, 0, 0}});
  problem.sums = {{9, release::DiscreteLaplace(0.3)}};
  problem.mirrored_sums = {{16, release::DiscreteLaplace(0.3)}};
  problem.total = LatentTotal{6, 0};
  const RecordLaw record(problem, 1);
  SumLikelihood sums(problem, record, {0.35, 0});
  for (int n = 0; n <= 6; ++n)
    EXPECT_NEAR(sums.log_at(n) + noise_constant(problem), listed(problem, 0.35, n), 1e-10) << n;
}

// The other ways to the same number: listed, by frequencies, and on a lattice.
TEST(NumberSums, DoNotDependOnTheWay) {
  NumberProblem problem = number_problem({"poisson", {}, model::IntegerRange{0, 6, {}}, {1, 1, 0, 0}});
  problem.total = LatentTotal{6, 0};
  for (const auto& noisy_values : noisy_values_of(problem)) {
    problem.sums = noisy_values;
    const RecordLaw record(problem, 1);
    RecordNodes nodes;
    record.nodes({1.7, 0}, nodes);
    for (const std::int64_t n : {2, 3, 4, 6}) {
      const SumNoise noise = sum_noise(problem, record.lattice(), n);
      const auto records = static_cast<double>(n);
      TiltedRecord tilted;
      find_tilt(nodes, records, noise, 0, tilted);
      const double list = log_mean_enumerated(nodes, tilted, n, noise);
      const CharacteristicFunction sums_of_n(nodes, tilted, records, records, noise);
      EXPECT_NEAR(sums_of_n.log_mean(records, noise).log_mean, list, 1e-11);
      EXPECT_NEAR(log_mean_lattice(nodes, tilted, n, noise, {4096}), list, 1e-11);
    }
  }
}

// The levels of a logarithm fall on no lattice, and a few records do not smear the kink of noise.
TEST(NumberSums, OfFewIrregularRecordsAreThoseOfEveryMultiset) {
  NumberProblem problem =
      number_problem({"pareto", {1}, model::RealRange{1, 11, Rational(1, 4), {}}, {4, 2, 0, 0}});
  const auto width = static_cast<double>(problem.number.values.adds.back());
  const RecordLaw record(problem, 4);
  for (const std::int64_t n : {3, 4}) {
    problem.total = KnownTotal{n};
    for (const double epsilon : {1.0, 5.0, 40.0}) {
      for (const double y : {-0.2, 0.1, 0.4, 1.2}) {
        problem.sums = {{std::round(y * width), release::DiscreteLaplace(epsilon / width)}};
        for (const double theta : {0.4, 1.5, 6.0}) {
          SumLikelihood sums(problem, record, {theta, 0});
          const SumNoise noise = sum_noise(problem, record.lattice(), n);
          TiltedRecord tilted;
          find_tilt(sums.nodes(), static_cast<double>(n), noise, 0, tilted);
          const double right = log_mean_enumerated(sums.nodes(), tilted, n, noise);
          EXPECT_NEAR(sums.log_at(n, {}), right, 2e-7) << n << " " << epsilon << " " << y << " " << theta;
          EXPECT_NEAR(sums.log_at(n), right, 1e-6) << n << " " << epsilon << " " << y << " " << theta;
        }
      }
    }
  }
}

/// Every way to place n records on nodes, by itself.
class EveryWay {
 public:
  EveryWay(const RecordNodes& nodes, const SumNoise& noise) : nodes_(nodes), noise_(noise) {}

  double log_mean(double n) {
    terms_.clear();
    place(0, n, 0, std::lgamma(n + 1));
    return log_sum_exp(terms_);
  }

 private:
  void place(std::size_t node, double left, double s, double log_weight) {
    const auto weight = [&](double c) { return c * std::log(nodes_.mass[node]) - std::lgamma(c + 1); };
    if (node + 1 == nodes_.at.size()) {
      terms_.push_back(log_weight + weight(left) + noise_.log_at(s + left * nodes_.at[node]));
      return;
    }
    for (double c = 0; c <= left; ++c)
      place(node + 1, left - c, s + c * nodes_.at[node], log_weight + weight(c));
  }

  const RecordNodes& nodes_;
  const SumNoise& noise_;
  std::vector<double> terms_;
};

// Many records on few levels: the characteristic function comes back near 1 far out, and sharp noise sees
// each way to place them.
TEST(NumberSums, OfFewUnevenLevelsAreThoseOfEveryWay) {
  struct Column {
    Rational high;
    std::int64_t n;
  };
  for (const auto& [high, n] : {Column{2, 300}, Column{2, 60}, Column{Rational(5, 2), 60}}) {
    NumberProblem problem =
        number_problem({"pareto", {1}, model::RealRange{1, high, Rational(1, 2), {}}, {4, 2, 0, 0}});
    problem.total = KnownTotal{n};
    const auto width = static_cast<double>(problem.number.values.adds.back());
    const RecordLaw record(problem, static_cast<double>(n));
    for (const double epsilon : {0.1, 1.0, 5.0, 50.0, 1000.0}) {
      const double sigma = width / epsilon;
      for (const release::NoiseLaw& law :
           {release::NoiseLaw(release::DiscreteLaplace(epsilon / width)),
            release::NoiseLaw(release::DiscreteGaussian(std::round(sigma * sigma)))}) {
        problem.sums = {{std::round(0.31 * static_cast<double>(n) * width), law}};
        const SumNoise noise = sum_noise(problem, record.lattice(), n);
        for (const double theta : {2.9, 3.8, 6.0}) {
          SumLikelihood sums(problem, record, {theta, 0});
          const double right = EveryWay(sums.nodes(), noise).log_mean(static_cast<double>(n));
          EXPECT_NEAR(sums.log_at(n, {}), right, 1e-6) << n << " " << epsilon << " " << theta;
          EXPECT_NEAR(sums.log_at(n), right, 1e-6) << n << " " << epsilon << " " << theta;
        }
      }
    }
  }
}

/// How often a log likelihood at places of theta 1e-4 apart (in its logarithm) changes by a step.
int steps_of(const std::vector<double>& log_at) {
  int steps = 0;
  for (std::size_t i = 3; i < log_at.size(); ++i) {
    // Third differences: some 1e-11 of what is smooth.
    const double third = log_at[i] - 3 * log_at[i - 1] + 3 * log_at[i - 2] - log_at[i - 3];
    steps += std::abs(third) > 1e-7 ? 1 : 0;
  }
  return steps;
}

// Each lattice makes an error of its own; one that changed from theta to theta would make steps everywhere.
TEST(NumberSums, OfIrregularRecordsChangeSmoothlyWithTheta) {
  NumberProblem problem =
      number_problem({"pareto", {1}, model::RealRange{1, 11, Rational(1, 4), {}}, {4, 2, 0, 0}});
  const auto width = static_cast<double>(problem.number.values.adds.back());
  const RecordLaw record(problem, 10);
  problem.sums = {{893'057, release::DiscreteLaplace(5 / width)}};
  problem.counts = {{9, release::DiscreteLaplace(0.5)}};
  for (const double start : {0.0, 0.6, 2.1}) {
    std::vector<double> known;
    std::vector<double> latent;
    for (int i = 0; i < 200; ++i) {
      const model::Theta theta{std::exp(start + 1e-4 * i), 0};
      problem.total = KnownTotal{10};
      known.push_back(SumLikelihood(problem, record, theta).log_at(10, {}));
      problem.total = LatentTotal{20, 0};
      const CountWeight weight(problem);
      SumLikelihood sums(problem, record, theta);
      latent.push_back(SumMixture(problem, weight, sums, {}).log_sum());
    }
    EXPECT_EQ(steps_of(known), 0) << start;
    EXPECT_LE(steps_of(latent), 9) << start;  // where blocks of n change; a step is seen three times
  }
}

TEST(NumberSums, PrivateTotalsAreSummed) {
  NumberProblem problem = number_problem({"poisson", {}, model::IntegerRange{0, 3, {}}, {1, 1, 0, 0}});
  problem.sums = {{6, release::DiscreteLaplace(0.4)}};
  problem.counts = {{4, release::DiscreteLaplace(0.7)}, {5, release::DiscreteGaussian(3)}};
  problem.total = LatentTotal{7, -0.1};
  const RecordLaw record(problem, 1);
  SumLikelihood sums(problem, record, {1.3, 0});
  const TotalTable table = total_table(problem, CountWeight(problem), sums);
  std::vector<double> log_weight;
  std::vector<double> log_prior;
  for (int n = 0; n <= 7; ++n) log_prior.push_back(-0.1 * n);
  for (int n = 0; n <= 7; ++n) {
    double here = log_prior[static_cast<std::size_t>(n)] - log_sum_exp(log_prior) + listed(problem, 1.3, n);
    for (const NoisyValue& noisy_value : problem.counts)
      here += release::log_pmf(noisy_value.law, noisy_value.y - n);
    log_weight.push_back(here);
  }
  EXPECT_NEAR(table.log_sum() + noise_constant(problem), log_sum_exp(log_weight), 1e-10);
  double below = 0;
  for (int n = 0; n <= 7; ++n) {
    below += std::exp(log_weight[static_cast<std::size_t>(n)] - log_sum_exp(log_weight));
    EXPECT_NEAR(table.cdf(n + 0.5), below, 1e-10);
  }
}

// P(kept) is e^-1500 here, which is no double.
TEST(NumberSums, KnowTheLawOfRecordsThatAreHardlyEverKept) {
  NumberProblem problem = number_problem(
      {"exponential", {}, model::RealRange{1, 2, Rational(1, 1000), {}}, {1, 1, 0, 0}, model::Drop{}});
  problem.sums = {{6, release::DiscreteLaplace(0.4)}};
  problem.total = KnownTotal{3};
  const RecordLaw record(problem, 3);
  RecordNodes nodes;
  ASSERT_TRUE(record.nodes({1500, 0}, nodes));
  const auto& edges = problem.number.edges;
  const auto below = [&](std::size_t l) { return -std::expm1(-1500 * (edges[l] - edges[0])); };
  ASSERT_GT(nodes.at.size(), 20u);
  for (std::size_t l = 0; l < 20; ++l) EXPECT_NEAR(nodes.mass[l], below(l + 1) - below(l), 1e-10) << l;
}

// Squares, so that the lattice has gaps; and noise that a rough lattice does not resolve is not done roughly.
TEST(NumberSums, AreRoughlyRightWhereThatIsLessWork) {
  NumberProblem problem =
      number_problem({"rayleigh", {}, model::RealRange{0, 10, Rational(1, 10), {}}, {1, 1, 0, 0}});
  problem.total = LatentTotal{40, 0};
  const RecordLaw record(problem, 10);
  for (const double epsilon : {0.01, 0.9, 1e3}) {
    problem.sums = {{12000, release::DiscreteLaplace(epsilon / 10000)}};
    for (const double theta : {0.05, 0.2}) {
      SumLikelihood sums(problem, record, {theta, 0});
      for (const std::int64_t n : {1, 3, 6, 11})
        EXPECT_NEAR(sums.roughly_log_at(n), sums.log_at(n, {}), 5e-4) << epsilon << " " << theta << " " << n;
    }
  }
}

}  // namespace
}  // namespace postern::infer
