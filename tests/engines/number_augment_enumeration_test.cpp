#include <array>
#include <cmath>
#include <map>
#include <ostream>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "brute_noise.hpp"
#include "number_augment_support.hpp"
#include "pooled_support.hpp"

// The posterior of a few records with few levels, by listing everything they can add up to at each point of a
// fine grid over theta. The chains must give the same probabilities, each at 1e-6.

namespace postern::infer {
namespace {

using model::Theta;

/// P(sum k, sum k^2, records surely inside | theta) for n records.
using SumLaw = std::map<std::array<std::int64_t, 3>, double>;

SumLaw add_record(const SumLaw& before, const model::EncodedNumber& number, std::span<const double> mass) {
  SumLaw out;
  const std::vector<std::int64_t>& adds = number.values.adds;
  const auto outside = [&](std::int64_t k) {
    for (const std::int64_t level : {number.below, number.above}) {
      if (level >= 0 && adds[static_cast<std::size_t>(level)] == k) return true;
    }
    return false;
  };
  for (const auto& [totals, p] : before) {
    for (std::size_t l = 0; l < adds.size(); ++l) {
      const std::int64_t inside = outside(adds[l]) ? 0 : 1;
      out[{totals[0] + adds[l], totals[1] + adds[l] * adds[l], totals[2] + inside}] += p * mass[l];
    }
  }
  return out;
}

double noise_weight(const NumberProblem& problem, const Totals& totals) {
  double log_weight = 0;
  const auto add = [&](const std::vector<NoisyValue>& noisy_values, double value) {
    for (const NoisyValue& noisy_value : noisy_values) log_weight += brute_log_likelihood(noisy_value, value);
  };
  add(problem.sums, totals.sum);
  add(problem.square_sums, totals.squares);
  add(problem.mirrored_sums, totals.n * static_cast<double>(problem.number.values.adds.back()) - totals.sum);
  add(problem.counts, totals.n);
  add(problem.inside_counts, totals.inside);
  return std::exp(log_weight);
}

/// Weight of theta, split by n: what a grid point adds to the posterior, the prior apart.
std::vector<double> weights_by_n(const NumberProblem& problem, const Theta& theta) {
  const auto* known = std::get_if<KnownTotal>(&problem.total);
  const std::int64_t most = known != nullptr ? known->n : std::get<LatentTotal>(problem.total).at_most;
  const double slope = known != nullptr ? 0 : std::get<LatentTotal>(problem.total).log_slope;
  std::vector<double> mass;
  model::level_masses(*problem.law, theta, problem.number, mass);
  std::vector<double> out(static_cast<std::size_t>(most) + 1, 0.0);
  SumLaw law{{{0, 0, 0}, 1.0}};
  for (std::int64_t n = 0; n <= most; ++n) {
    if (known == nullptr || n == most) {
      for (const auto& [totals, p] : law) {
        const Totals at{static_cast<double>(n), static_cast<double>(totals[0]),
                        static_cast<double>(totals[1]), static_cast<double>(totals[2])};
        out[static_cast<std::size_t>(n)] += p * noise_weight(problem, at) * std::exp(slope * at.n);
      }
    }
    law = add_record(law, problem.number, mass);
  }
  return out;
}

/// Points of one parameter: equal steps of theta, log theta or its log odds, and what a step is worth.
struct Grid {
  double from, to;
  std::size_t points;

  [[nodiscard]] std::pair<double, double> at(std::size_t i, model::ParameterSpace space) const {
    const double x = from + (to - from) * (static_cast<double>(i) + 0.5) / static_cast<double>(points);
    if (space == model::ParameterSpace::positive) return {std::exp(x), std::exp(x)};
    if (space == model::ParameterSpace::unit) {
      const double theta = 1 / (1 + std::exp(-x));
      return {theta, theta * (1 - theta)};
    }
    return {x, 1};
  }
};

struct Listed {
  std::vector<std::map<double, double>> theta;  ///< weight of each grid value, per parameter
  std::vector<double> n;

  /// P(quantity <= its p-quantile on the grid), and that quantile, halfway to the next grid value.
  [[nodiscard]] std::pair<double, double> quantile(std::size_t parameter, double p) const {
    double whole = 0;
    for (const auto& [value, w] : theta[parameter]) whole += w;
    double sum = 0;
    for (auto at = theta[parameter].begin();; ++at) {
      sum += at->second / whole;
      const auto next = std::next(at);
      if (sum >= p || next == theta[parameter].end()) return {0.5 * (at->first + next->first), sum};
    }
  }
};

Listed list(const NumberProblem& problem, const std::vector<Grid>& grids) {
  Listed out;
  out.theta.resize(problem.parameters);
  const std::size_t rows = grids.size() > 1 ? grids[1].points : 1;
  for (std::size_t i = 0; i < grids[0].points; ++i) {
    for (std::size_t j = 0; j < rows; ++j) {
      Theta theta{};
      double jacobian = 1;
      std::tie(theta[0], jacobian) = grids[0].at(i, problem.law->space(0));
      if (rows > 1) {
        const auto [value, more] = grids[1].at(j, problem.law->space(1));
        theta[1] = value;
        jacobian *= more;
      }
      const double prior = std::exp(problem.law->log_prior(problem.prior, theta)) * jacobian;
      const std::vector<double> by_n = weights_by_n(problem, theta);
      out.n.resize(by_n.size());
      for (std::size_t n = 0; n < by_n.size(); ++n) {
        out.n[n] += prior * by_n[n];
        for (std::size_t p = 0; p < problem.parameters; ++p) out.theta[p][theta[p]] += prior * by_n[n];
      }
    }
  }
  double whole = 0;
  for (const double w : out.n) whole += w;
  for (double& w : out.n) w /= whole;
  return out;
}

struct Case {
  std::string name;
  AugmentShape shape;
  std::vector<Grid> grids;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

const model::Values kFive = model::IntegerRange{0, 4, {}};
const model::Values kSigned = model::RealRange{-2, 3, Rational(1), {}};
const model::Values kCoarse = model::RealRange{0, 3, Rational(1, 2), {}};

std::vector<Case> cases() {
  const Grid rate{-7, 4, 400};
  const Grid odds{-12, 12, 400};
  return {{"binomial", {"binomial", {4}, {2, 1}, kFive}, {odds}},
          {"poisson", {"poisson", {}, {2, 1}, kFive}, {rate}},
          {"geometric", {"geometric", {}, {1, 2}, kFive}, {odds}},
          {"negative_binomial", {"negative-binomial", {Rational(5, 2)}, {2, 2}, kFive}, {odds}},
          {"exponential", {"exponential", {}, {2, 1}, kCoarse}, {rate}},
          {"mapped_exponential", {"exponential", {}, {2, 1}, kCoarse, model::MapTo{2}}, {rate}},
          {"gamma", {"gamma", {Rational(3, 2)}, {3, 2}, kCoarse}, {rate}},
          {"normal_mean", {"normal-mean", {2}, {0, 1}, kSigned}, {{-8, 8, 400}}},
          {"normal",
           {"normal", {}, {0, 1, 2, 2}, model::RealRange{-1, 2, Rational(1), {}}},
           {{-12, 12, 100}, {-4, 7, 60}}},
          {"pareto", {"pareto", {1}, {3, 1}, model::RealRange{1, 3, Rational(1), {}}}, {rate}},
          {"rayleigh", {"rayleigh", {}, {2, 1}, model::RealRange{0, 2, Rational(1), {}}}, {rate}},
          // n counts the kept records.
          {"dropped_binomial", {"binomial", {4}, {2, 1}, kFive, model::Drop{}}, {odds}},
          {"dropped_poisson", {"poisson", {}, {3, 1}, model::IntegerRange{1, 4, {}}, model::Drop{}}, {rate}},
          {"dropped_geometric", {"geometric", {}, {2, 2}, kFive, model::Drop{}}, {odds}},
          {"dropped_exponential", {"exponential", {}, {2, 1}, kCoarse, model::Drop{}}, {rate}},
          {"dropped_normal_mean", {"normal-mean", {2}, {0, 4}, kSigned, model::Drop{}}, {{-12, 12, 400}}},
          {"dropped_normal",
           {"normal", {}, {0, 1, 2, 2}, model::RealRange{-1, 2, Rational(1), {}}, model::Drop{}},
           {{-12, 12, 100}, {-4, 7, 60}}},
          {"dropped_rayleigh",
           {"rayleigh", {}, {2, 1}, model::RealRange{0, 2, Rational(1), {}}, model::Drop{}},
           {rate}}};
}

class NumberEnumeration : public testing::TestWithParam<Case> {
 protected:
  static void expect_agreement(const NumberProblem& problem) {
    const Listed listed = list(problem, GetParam().grids);
    DriverOptions options;
    options.draws = 6000;
    options.seed = 20261116;
    const ChainRun run = draw_augmented_number({problem}, options, {});
    for (std::size_t p = 0; p < problem.parameters; ++p) {
      const auto chains = chains_of(run, p, options.draws);
      for (const double q : {0.1, 0.5, 0.9}) {
        const auto [at, probability] = listed.quantile(p, q);
        const Estimate below = estimate(chains, 1, [at = at](double x) { return x <= at ? 1.0 : 0.0; });
        EXPECT_NEAR(below.mean, probability, below.reach) << "parameter " << p << ", quantile " << q;
        EXPECT_LT(below.reach, 0.06);
      }
    }
    if (std::holds_alternative<KnownTotal>(problem.total)) return;
    const auto chains = chains_of(run, problem.parameters, options.draws);
    for (std::size_t n = 0; n < listed.n.size(); ++n) {
      const Estimate equal =
          estimate(chains, 1, [&](double x) { return x == static_cast<double>(n) ? 1.0 : 0.0; });
      EXPECT_NEAR(equal.mean, listed.n[n], equal.reach) << n << " records";
    }
  }
  /// Noise about as wide as the largest record, on everything that the family shows.
  static NumberProblem seen(bool gaussian_noise, bool latent) {
    NumberProblem problem = make_number(GetParam().shape);
    const auto largest = static_cast<double>(problem.number.values.adds.back());
    const auto law = [&](double width) {
      return gaussian_noise ? gaussian(width * width) : laplace(1 / width);
    };
    NumberNoise noise;
    noise.sums = {law(0.7 * largest)};
    if (problem.squares) noise.squares = {law(largest * largest)};
    if (latent) {
      noise.counts = {law(1.5)};
      if (GetParam().name == "binomial") noise.mirrored = {law(largest)};
    } else if (!problem.squares) {
      noise.sums.push_back(gaussian(4 * largest * largest));
    }
    if (latent) {
      problem.total = LatentTotal{5, -0.1};
    } else {
      problem.total = KnownTotal{4};
    }
    Rng rng(7, 0, Purpose::test);
    see(problem, noise, draw_truth(problem, 3, rng).totals, rng);
    return problem;
  }
};

TEST_P(NumberEnumeration, KnownTotalLaplace) { expect_agreement(seen(false, false)); }
TEST_P(NumberEnumeration, KnownTotalGaussian) { expect_agreement(seen(true, false)); }
TEST_P(NumberEnumeration, LatentTotalLaplace) { expect_agreement(seen(false, true)); }
TEST_P(NumberEnumeration, LatentTotalGaussian) { expect_agreement(seen(true, true)); }
TEST_P(NumberEnumeration, ContinuousNoiseAndBands) {
  // The noise is the same for all families: some that show each sort of sum will do.
  static const std::set<std::string> some{"binomial", "poisson", "normal", "dropped_exponential"};
  if (!some.contains(GetParam().name)) return;
  for (const bool latent : {false, true}) {
    NumberProblem problem = seen(latent, latent);
    std::size_t turn = latent ? 3 : 1;
    for (auto* values : {&problem.sums, &problem.square_sums, &problem.mirrored_sums, &problem.counts}) {
      for (NoisyValue& value : *values) value = made_elsewhere(value, turn++);
    }
    expect_agreement(problem);
  }
}
TEST_P(NumberEnumeration, OneLaplaceNoisyValue) {
  NumberProblem problem = seen(false, false);
  problem.sums.erase(problem.sums.begin() + 1, problem.sums.end());
  expect_agreement(problem);
}
TEST_P(NumberEnumeration, RecordsInsideAreCounted) {
  for (const bool latent : {false, true}) {
    NumberProblem problem = seen(latent, latent);
    problem.inside_counts = {{2, laplace(0.8)}};
    expect_agreement(problem);
  }
}
/// So little noise that swaps mostly fail and offers take over.
TEST_P(NumberEnumeration, HardlyAnyNoise) {
  NumberProblem problem = seen(false, true);
  const auto largest = static_cast<double>(problem.number.values.adds.back());
  problem.sums = {{std::round(1.6 * largest), laplace(6 / largest)}};
  if (problem.squares) problem.square_sums = {{std::round(1.5 * largest * largest), laplace(3 / largest)}};
  expect_agreement(problem);
}

INSTANTIATE_TEST_SUITE_P(All, NumberEnumeration, testing::ValuesIn(cases()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace postern::infer
