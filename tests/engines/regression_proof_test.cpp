#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/special.hpp"
#include "postern/infer/regression/chain.hpp"

#include "regression_problems.hpp"

// The posterior of a regression against answers that are found in other ways.

namespace postern::infer {
namespace {

struct Moments {
  double mean = 0;
  double sd = 0;
};

/// Of one quantity over all chains.
Moments moments_of(const ChainRun& run, std::size_t quantity, std::size_t draws) {
  double sum = 0;
  double squares = 0;
  double count = 0;
  for (const std::vector<double>& chain : run.draws) {
    for (std::size_t i = 0; i < draws; ++i) {
      const double x = chain[quantity * draws + i];
      sum += x;
      squares += x * x;
      count += 1;
    }
  }
  return {sum / count, std::sqrt(std::max(squares / count - sum / count * (sum / count), 0.0))};
}

DriverOptions some_draws() {
  DriverOptions options;
  options.chains = 4;
  options.draws = 1000;
  options.threads = 2;
  return options;
}

// With noise that vanishes the sums are known, and the plug-in posterior is the conjugate one. Four standard
// errors of 2000 effective draws are 0.09 deviations.
TEST(RegressionProof, MeetsTheConjugatePosteriorAsNoiseVanishes) {
  for (const std::size_t features : {1, 4}) {
    for (const auto shape : {MomentNoise::Shape::laplace, MomentNoise::Shape::gaussian}) {
      Rng rng(7, static_cast<std::uint32_t>(features), Purpose::test);
      const RegressionProblem problem = made_up_problem(features, 500, {shape, 1e-4}, rng);
      const DriverOptions options = some_draws();
      const ChainRun ours = draw_regression(problem, options, {});
      const ChainRun conjugate = draw_plug_in_regression(problem, options, {});
      for (std::size_t q = 0; q <= features + 1; ++q) {
        const Moments a = moments_of(ours, q, options.draws);
        const Moments b = moments_of(conjugate, q, options.draws);
        EXPECT_NEAR(a.mean, b.mean, 0.12 * b.sd) << "quantity " << q;
        EXPECT_NEAR(a.sd, b.sd, 0.1 * b.sd) << "quantity " << q;
      }
    }
  }
}

/// n records of an indicator, a number and a target, with little noise. Nothing but its being an indicator is
/// known of the square of the first, as of a category's level.
RegressionProblem indicator_problem(std::int64_t n, double scale, Rng& rng) {
  RegressionProblem problem;
  problem.features = 2;
  problem.prior = default_regression_prior(2);
  problem.total = KnownTotal{n};
  MadeUpRecords records{{0, 0, 0}, 0, std::vector<double>(16)};
  for (std::int64_t r = 0; r < n; ++r) {
    const double level = rng.uniform() < 0.3 ? 1 : 0;
    const double x = 0.3 * draw_normal(rng);
    const std::vector<double> w{1, level, x, 0.2 * level - 0.3 * x + 0.1 * draw_normal(rng)};
    for (std::size_t i = 0; i < 16; ++i) records.moments[i] += w[i / 4] * w[i % 4];
  }
  see(problem, records, {MomentNoise::Shape::laplace, scale}, rng);
  for (NoisyMoment& one : problem.moments) {
    if (one.i == 1 && one.j == 1) one = {1, 1, 0, {MomentNoise::Shape::gaussian, 0.1 * scale}, -1, 1, 0};
  }
  return problem;
}

// Chains used to begin at moments that no indicator has, and never came back where the noise was small.
TEST(RegressionProof, FindsTheSumsOfAnIndicatorThroughLittleNoise) {
  for (const auto& [n, scale] : {std::pair<std::int64_t, double>{5000, 0.02}, {100'000, 1}}) {
    Rng rng(8, 0, Purpose::test);
    const RegressionProblem problem = indicator_problem(n, scale, rng);
    const DriverOptions options = some_draws();
    const ChainRun ours = draw_regression(problem, options, {});
    const ChainRun conjugate = draw_plug_in_regression(problem, options, {});
    EXPECT_LE(ours.warmup, 1400U);
    for (std::size_t q = 0; q < 4; ++q) {
      const Moments a = moments_of(ours, q, options.draws);
      const Moments b = moments_of(conjugate, q, options.draws);
      EXPECT_NEAR(a.mean, b.mean, 0.12 * b.sd) << "quantity " << q;
      EXPECT_NEAR(a.sd, b.sd, 0.1 * b.sd) << "quantity " << q;
    }
  }
}

/// Posterior means by weighing latent records: truth and records from the prior, weighed by the noise and by
/// the chance to pass. No line of the engine is used.
struct Weighed {
  std::vector<double> mean, error;
};

double log_noise(const NoisyMoment& one, double t) {
  const double u = t / one.noise.scale;
  return one.noise.shape == MomentNoise::Shape::laplace ? -std::abs(u) : -0.5 * u * u;
}

Weighed weigh(const RegressionProblem& problem, std::size_t tries, Rng& rng) {
  const std::size_t quantities = problem.features + 2;
  std::vector<std::vector<double>> values(tries);
  std::vector<double> weights(tries);
  const auto* bound = std::get_if<LatentTotal>(&problem.total);
  double total = 0;
  for (std::size_t t = 0; t < tries; ++t) {
    std::int64_t n = 0;
    if (bound != nullptr) {
      const std::int64_t least = static_cast<std::int64_t>(problem.width());
      n = least +
          static_cast<std::int64_t>(draw_below(static_cast<std::uint64_t>(bound->at_most - least + 1), rng));
    } else {
      n = std::get<KnownTotal>(problem.total).n;
    }
    const MadeUpRecords records = draw_records(problem.prior, n, rng);
    double log_weight = 0;
    for (std::size_t i = 1; i < problem.width(); ++i) {
      const double room = 1 - records.at(i, i) / records.at(0, 0);
      log_weight += room > 0 ? 0.5 * std::log(room) : kMinusInfinity;
    }
    for (const NoisyMoment& one : problem.moments)
      log_weight +=
          log_noise(one, one.value - records.at(one.i, one.j) - one.weight * records.at(one.k, one.l));
    weights[t] = std::exp(log_weight);
    total += weights[t];
    values[t] = records.beta;
    values[t].push_back(records.sigma);
    if (bound != nullptr) values[t].push_back(static_cast<double>(n));
  }
  Weighed out;
  for (std::size_t q = 0; q < quantities + (bound != nullptr ? 1 : 0); ++q) {
    double mean = 0;
    double error = 0;
    for (std::size_t t = 0; t < tries; ++t) mean += weights[t] / total * values[t][q];
    for (std::size_t t = 0; t < tries; ++t) error += std::pow(weights[t] / total * (values[t][q] - mean), 2);
    out.mean.push_back(mean);
    out.error.push_back(std::sqrt(error));
  }
  return out;
}

void expect_weighed(const RegressionProblem& problem, Rng& rng) {
  const Weighed wanted = weigh(problem, 60'000, rng);
  const DriverOptions options = some_draws();
  const ChainRun run = draw_regression(problem, options, {});
  for (std::size_t q = 0; q < wanted.mean.size(); ++q) {
    const Moments found = moments_of(run, q, options.draws);
    // Five standard errors of both, ours with 1200 effective draws of 4000.
    EXPECT_NEAR(found.mean, wanted.mean[q], 5 * std::hypot(wanted.error[q], found.sd / 35))
        << "quantity " << q;
  }
}

TEST(RegressionProof, AgreesWithWeighedLatentRecords) {
  Rng rng(11, 0, Purpose::test);
  expect_weighed(made_up_problem(1, 6, {MomentNoise::Shape::laplace, 1.0}, rng), rng);
  expect_weighed(made_up_problem(1, 12, {MomentNoise::Shape::gaussian, 1.5}, rng), rng);
  expect_weighed(made_up_problem(2, 10, {MomentNoise::Shape::laplace, 2.0}, rng), rng);
}

TEST(RegressionProof, AgreesWithWeighedRecordsFewerThanCoefficients) {
  Rng rng(12, 0, Purpose::test);
  expect_weighed(made_up_problem(1, 1, {MomentNoise::Shape::laplace, 0.5}, rng), rng);
  expect_weighed(made_up_problem(2, 2, {MomentNoise::Shape::laplace, 0.7}, rng), rng);
  expect_weighed(made_up_problem(2, 3, {MomentNoise::Shape::laplace, 0.7}, rng), rng);
}

TEST(RegressionProof, AgreesWithWeighedRecordsOfALatentN) {
  Rng rng(13, 0, Purpose::test);
  RegressionProblem problem = made_up_problem(1, 8, {MomentNoise::Shape::laplace, 1.5}, rng);
  problem.total = LatentTotal{20};
  problem.moments.push_back({0, 0, 9, {MomentNoise::Shape::laplace, 3}});
  for (NoisyMoment& one : problem.moments) {
    if (one.i == one.j && one.i > 0) {  // squares less a half, as they are released where n is private
      one.weight = -0.5;
      one.value -= 4;
    }
  }
  expect_weighed(problem, rng);
}

TEST(RegressionProof, AgreesWithWeighedRecordsWhereProductsAreUnseen) {
  Rng rng(14, 0, Purpose::test);
  RegressionProblem problem = made_up_problem(2, 8, {MomentNoise::Shape::laplace, 1.0}, rng);
  std::erase_if(problem.moments, [](const NoisyMoment& one) { return one.i == 2 && one.j == 1; });
  expect_weighed(problem, rng);
}

TEST(RegressionProof, PublicRecordsCountAsRecordsWithoutNoise) {
  Rng rng(15, 0, Purpose::test);
  RegressionProblem seen = made_up_problem(2, 50, {MomentNoise::Shape::laplace, 1e-4}, rng);
  RegressionProblem shown = seen;
  shown.total = KnownTotal{0};
  shown.moments.clear();
  shown.public_moments.assign(16, 0);
  shown.public_moments[0] = 50;
  for (const NoisyMoment& one : seen.moments)
    shown.public_moments[one.i * 4 + one.j] = shown.public_moments[one.j * 4 + one.i] = one.value;
  const DriverOptions options = some_draws();
  const ChainRun a = draw_regression(seen, options, {});
  const ChainRun b = draw_regression(shown, options, {});
  for (std::size_t q = 0; q < 4; ++q)
    EXPECT_NEAR(moments_of(a, q, options.draws).mean, moments_of(b, q, options.draws).mean,
                0.12 * moments_of(b, q, options.draws).sd);
}

}  // namespace
}  // namespace postern::infer
