#include <cmath>

#include <gtest/gtest.h>

#include "pooled_support.hpp"
#include "vector_support.hpp"

// Where noise is negligible, nothing is clamped and the grid is fine, the posterior is the conjugate one,
// whose moments are known. Where there is nothing but noise, it is the prior.

namespace postern::infer {
namespace {

/// E and variance of each quantity under the normal-inverse-Wishart posterior: mu, then Sigma.
struct Wanted {
  std::vector<double> mean, variance;
};
Wanted conjugate(const WishartPrior& prior, const VectorMoments& moments) {
  const std::size_t d = prior.mean.size();
  const double weight = prior.weight + moments.weight;
  const double degrees = prior.degrees + moments.degrees;
  const double left = degrees - static_cast<double>(d) - 1;
  const auto scale = [&](std::size_t i, std::size_t j) {
    const double away = (moments.mean[i] - prior.mean[i]) * (moments.mean[j] - prior.mean[j]);
    return prior.scale[i * d + j] + moments.scatter(std::max(i, j), std::min(i, j)) +
           prior.weight * moments.weight / weight * away;
  };
  Wanted out;
  for (std::size_t i = 0; i < d; ++i) {
    out.mean.push_back((prior.weight * prior.mean[i] + moments.weight * moments.mean[i]) / weight);
    out.variance.push_back(scale(i, i) / left / weight);
  }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = i; j < d; ++j) {
      out.mean.push_back(scale(i, j) / left);
      const double square = (left + 2) * scale(i, j) * scale(i, j) + left * scale(i, i) * scale(j, j);
      out.variance.push_back(square / ((left + 1) * left * left * (left - 2)));
    }
  }
  return out;
}

/// Means within what 1e-6 allows and one hundredth of a standard deviation; variances within a tenth.
void expect_moments(const VectorProblem& problem, const Wanted& wanted, const DriverOptions& options) {
  const ChainRun run = draw_augmented_vectors(problem, options, {});
  for (std::size_t q = 0; q < wanted.mean.size(); ++q) {
    const auto chains = chains_of(run, q, options.draws);
    const double sd = std::sqrt(wanted.variance[q]);
    const Estimate mean = estimate(chains, 0, [](double x) { return x; });
    EXPECT_NEAR(mean.mean, wanted.mean[q], mean.reach + 0.02 * sd) << "quantity " << q;
    EXPECT_LT(mean.reach, 0.3 * sd) << "too few effective draws to see a fault";
    const double centre = wanted.mean[q];
    const Estimate square = estimate(chains, 0, [&](double x) { return (x - centre) * (x - centre); });
    EXPECT_NEAR(square.mean / wanted.variance[q], 1, 0.1 + square.reach / wanted.variance[q])
        << "quantity " << q;
  }
}

/// Releases n records whose moments are those given, nearly without noise: the sums' deviation is 8 steps of
/// 2000, that of products as much at the far end.
VectorProblem sharp(const VectorShape& shape, const VectorMoments& moments, bool gaussian) {
  VectorProblem problem = make_vectors(shape);
  VectorRecords& records = problem.sets[0];
  const std::size_t d = shape.columns;
  const auto law = [&](double deviation) {
    return gaussian ? release::NoiseLaw(release::DiscreteGaussian(deviation * deviation))
                    : release::NoiseLaw(release::DiscreteLaplace(std::sqrt(2.0) / deviation));
  };
  const double n = moments.weight;
  constexpr double kSteps = 2000;
  for (std::size_t i = 0; i < d; ++i) {
    records.sums[i] = {{std::round(kSteps * n * moments.mean[i]), law(8)}};
    for (std::size_t j = i; j < d; ++j) {
      const double product = moments.scatter(j, i) + n * moments.mean[i] * moments.mean[j];
      records.products[packed(i, j, d)] = {{std::round(kSteps * kSteps * product), law(8 * kSteps)}};
    }
  }
  records.total = KnownTotal{static_cast<std::int64_t>(n)};
  return problem;
}

struct Sharp {
  bool gaussian = false;
  double degrees = 8;
};
class VectorConjugate : public testing::TestWithParam<Sharp> {};

TEST_P(VectorConjugate, WithoutNoiseItIsTheConjugatePosterior) {
  constexpr std::size_t kColumns = 3;
  const VectorShape shape{kColumns, model::RealRange{0, 1, Rational(1, 2000), {}},
                          wishart_prior(kColumns, 3, GetParam().degrees, 0.1)};
  VectorMoments moments;
  moments.weight = moments.degrees = 60;
  moments.mean = {0.45, 0.55, 0.5};
  const double correlation[3] = {0.6, -0.3, 0.1};  // of (1, 0), (2, 0), (2, 1)
  for (std::size_t i = 0; i < kColumns; ++i) {
    moments.scatter(i, i) = 60 * 0.01;
    for (std::size_t j = 0; j < i; ++j) moments.scatter(i, j) = 60 * 0.01 * correlation[i - 1 + j];
  }
  DriverOptions options;
  options.draws = 2000;
  options.seed = 20261116;
  expect_moments(sharp(shape, moments, GetParam().gaussian), conjugate(shape.prior, moments), options);
}

// Nearly all of a prior with degrees 2.001 are singular matrices, which the records rule out.
INSTANTIATE_TEST_SUITE_P(All, VectorConjugate, testing::Values(Sharp{}, Sharp{true}, Sharp{false, 2.001}),
                         [](const auto& one) {
                           return std::string(one.param.gaussian ? "gaussian" : "laplace") +
                                  (one.param.degrees < 3 ? "_nearly_singular_prior" : "");
                         });

TEST(VectorPrior, WithoutASignalItIsThePrior) {
  for (const std::size_t d : {std::size_t{2}, std::size_t{4}}) {
    const VectorShape shape{d, model::RealRange{0, 1, Rational(1, 100), {}},
                            wishart_prior(d, 2, static_cast<double>(d) + 8, 0.15, 0.3)};
    VectorProblem problem = make_vectors(shape);
    Rng rng(3, 0, Purpose::test);
    see(problem.sets[0], noise_for(problem.sets[0], 1e-7, false, false), {}, rng);
    problem.sets[0].total = KnownTotal{50};
    DriverOptions options;
    options.draws = 3000;
    options.seed = 20261116;
    expect_moments(problem, conjugate(shape.prior, {}), options);
  }
}

}  // namespace
}  // namespace postern::infer
