#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/infer/moments/chain.hpp"
#include "postern/infer/regression/chain.hpp"

namespace postern::infer {
namespace {

struct Shape {
  std::size_t columns;
  bool target;
  MomentNoise noise;
  bool latent = false;
  bool known_rows = false;
};

/// 300 records whose first column goes into the last, their sums seen through noise.
ScatterProblem made_up(const Shape& shape, Rng& rng) {
  constexpr int kRecords = 300;
  constexpr int kPublic = 40;
  ScatterProblem out;
  out.columns = shape.columns;
  out.target = shape.target;
  const std::size_t width = out.width();
  std::vector<double> sums(width * width), known(width * width), w(width, 1);
  for (int r = 0; r < kRecords; ++r) {
    for (std::size_t j = 1; j < width; ++j)
      w[j] = 0.05 * static_cast<double>(j + 1) * draw_normal(rng) + 0.02 * static_cast<double>(j);
    w.back() += 0.4 * w[1];
    for (std::size_t i = 0; i < width; ++i) {
      for (std::size_t j = 0; j < width; ++j) {
        sums[i * width + j] += w[i] * w[j];
        if (r < kPublic) known[i * width + j] += w[i] * w[j];
      }
    }
  }
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      if (i == 0 && !shape.latent) continue;
      const double value = sums[i * width + j] + shape.noise.scale * draw_normal(rng);
      out.moments.push_back({i, j, value, shape.noise});
    }
  }
  out.moments.push_back({1, 1, sums[width + 1] - 0.5 * kRecords, shape.noise, -0.5, 0, 0});
  out.moments.push_back({1, 1, 0.3, {MomentNoise::Shape::gaussian, 5}, -1, 1, 0});
  out.total = KnownTotal{kRecords};
  if (shape.latent) out.total = LatentTotal{1000, -0.001};
  if (shape.known_rows) out.public_moments = known;
  return out;
}

/// The gradient against central differences near a mode.
void expect_exact_gradient(const ScatterProblem& problem, Rng& rng) {
  constexpr double kStep = 1e-5;
  const ScatterDensity density(problem);
  std::vector<double> q = density.start();
  for (double& one : q) one += 0.03 * draw_normal(rng);
  std::vector<double> slope;
  const double value = density.gradient(q, slope);
  ASSERT_TRUE(std::isfinite(value));
  EXPECT_EQ(value, density.log_density(q));
  for (std::size_t u = 0; u < q.size(); ++u) {
    const double at = q[u];
    q[u] = at + kStep;
    const double above = density.log_density(q);
    q[u] = at - kStep;
    const double below = density.log_density(q);
    q[u] = at;
    EXPECT_NEAR((above - below) / (2 * kStep), slope[u],
                1e-5 * (1 + std::abs(slope[u])) + 1e-10 * std::abs(value) / kStep)
        << "unknown " << u;
  }
}

TEST(ScatterDensity, GradientIsThatOfFiniteDifferences) {
  Rng rng(11, 0, Purpose::test);
  for (const std::size_t columns : {2, 3, 6}) {
    for (const bool target : {false, true}) {
      for (const double scale : {3.0, 60.0}) {
        for (const bool latent : {false, true}) {
          const Shape shape{columns, target, {MomentNoise::Shape::laplace, scale}, latent};
          expect_exact_gradient(made_up(shape, rng), rng);
        }
      }
    }
  }
}

TEST(ScatterDensity, GradientKnowsGaussianNoisePublicRowsAndPriorScale) {
  Rng rng(12, 0, Purpose::test);
  for (const bool target : {false, true}) {
    for (const bool latent : {false, true}) {
      Shape shape{4, target, {MomentNoise::Shape::gaussian, 9}, latent, true};
      ScatterProblem problem = made_up(shape, rng);
      expect_exact_gradient(problem, rng);
      problem.prior_scale = 0.5;
      problem.two_levels = {std::nullopt, TwoLevels{-1, 1}};
      expect_exact_gradient(problem, rng);
    }
  }
}

TEST(ScatterDensity, GradientKnowsColumnsWhoseAxesAreAskedFor) {
  Rng rng(14, 0, Purpose::test);
  for (const double scale : {3.0, 60.0}) {
    ScatterProblem problem = made_up({3, false, {MomentNoise::Shape::gaussian, scale}, false}, rng);
    problem.axis_units = {1, 20, 3};
    expect_exact_gradient(problem, rng);
  }
}

TEST(ScatterDensity, ScalesOfSlopesAloneAreLookedAtAgain) {
  Rng rng(13, 0, Purpose::test);
  for (const bool latent : {false, true}) {
    const ScatterProblem problem = made_up({4, true, {MomentNoise::Shape::laplace, 9}, latent, latent}, rng);
    const ScatterDensity density(problem), fresh(problem);
    std::vector<double> q = density.start();
    ASSERT_TRUE(std::isfinite(density.log_density(q)));
    for (std::size_t i = 0; i < 20; ++i) {
      q[density.first_slope_scale() + i % 3] += draw_normal(rng);
      const double again = density.log_density_again(q);
      EXPECT_NEAR(again, fresh.log_density(q), 1e-9 * std::abs(again));
    }
  }
}

/// The same records, their sums counted from elsewhere.
ScatterProblem with_origin(ScatterProblem problem) {
  for (std::size_t i = 0; i < problem.columns; ++i)
    problem.origin.push_back(0.7 - 0.5 * static_cast<double>(i));
  return problem;
}

model::WishartPrior stated_prior(std::size_t columns, bool loose) {
  model::WishartPrior out{std::vector<double>(columns, 0.1), 2, static_cast<double>(columns) + 3,
                          std::vector<double>(columns * columns), loose};
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t j = 0; j < columns; ++j) out.scale[i * columns + j] = i == j ? 0.4 : loose ? 0 : 0.1;
  }
  return out;
}

TEST(ScatterDensity, GradientKnowsOriginsAndStatedPriors) {
  Rng rng(13, 0, Purpose::test);
  for (const double scale : {3.0, 60.0}) {
    for (const bool latent : {false, true}) {
      for (const bool target : {false, true})
        expect_exact_gradient(
            with_origin(made_up({4, target, {MomentNoise::Shape::laplace, scale}, latent}, rng)), rng);
      ScatterProblem problem =
          with_origin(made_up({4, false, {MomentNoise::Shape::laplace, scale}, latent}, rng));
      for (const bool loose : {false, true}) {
        problem.stated = stated_prior(4, loose);
        expect_exact_gradient(problem, rng);
      }
    }
  }
}

/// Sums about another origin say the same: exactly so without products, of which the noise is another's.
TEST(ScatterDensity, OriginMovesSumsAlone) {
  ScatterProblem problem;
  problem.columns = 2;
  problem.total = KnownTotal{200};
  problem.moments = {{1, 0, 14.0, {}}, {2, 0, -30.0, {}}};
  ScatterProblem moved = problem;
  moved.origin = {3, -2};
  moved.moments[0].value += 3 * 200;
  moved.moments[1].value -= 2 * 200;
  const ScatterDensity density(problem);
  const ScatterDensity about(moved);
  std::vector<double> q = density.start();
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(density.log_density(q), about.log_density(q), 1e-9);
    q[static_cast<std::size_t>(i) % q.size()] += 0.02;
  }
}

/// Means and sds of Sigma's entries.
std::vector<double> covariance_summary(const ChainRun& run, std::size_t entries, std::size_t draws) {
  std::vector<double> out;
  for (std::size_t q = 0; q < entries; ++q) {
    double mean = 0;
    double squares = 0;
    for (const std::vector<double>& chain : run.draws) {
      for (std::size_t i = 0; i < draws; ++i) {
        const double value = chain[q * draws + i];
        mean += value / static_cast<double>(draws * run.draws.size());
        squares += value * value / static_cast<double>(draws * run.draws.size());
      }
    }
    out.push_back(mean);
    out.push_back(std::sqrt(squares - mean * mean));
  }
  return out;
}

/// The engine of regressions draws the covariance of columns under a diagonal prior around 0 too, by other
/// coordinates and other code.
TEST(ScatterDensity, StatedPriorAgreesWithRegressions) {
  Rng rng(14, 0, Purpose::test);
  for (const bool loose : {false, true}) {
    const Shape shape{3, false, {MomentNoise::Shape::gaussian, 12}};
    ScatterProblem problem = made_up(shape, rng);
    problem.stated = stated_prior(3, true);
    problem.stated->loose = loose;
    problem.stated->mean = {0, 0, 0};
    RegressionProblem other;
    other.features = 2;
    other.prior = joint_normal_prior(problem.stated->weight, problem.stated->degrees, {0.4, 0.4, 0.4});
    other.moments = problem.moments;
    other.total = problem.total;
    other.loose_scale = loose;
    DriverOptions options;
    options.draws = 1500;
    options.seed = 3;
    options.threads = 1;
    const auto one = covariance_summary(draw_learned_covariance(problem, options, {}).chains, 6, 1500);
    const auto two = covariance_summary(draw_covariance(other, options, {}), 6, 1500);
    // Draws are thinned to be nearly independent: a thousand of them at least.
    for (std::size_t q = 0; q < 12; q += 2) {
      EXPECT_NEAR(one[q], two[q], 5 * one[q + 1] * std::sqrt(2.0 / 1000)) << loose << q;
      EXPECT_NEAR(one[q + 1], two[q + 1], 0.2 * one[q + 1]) << loose << q;
    }
  }
}

/// The mean of the variance of one column, by sums over grids of the mean, the scatter, its typical sd s and
/// nu. Sigma | s, nu ~ inverse-gamma(nu / 2, nu s^2 / 2), the scatter | Sigma ~ Sigma chi^2(n - 1).
double brute_force_variance(const ScatterProblem& problem, double n) {
  const double m = n - 1;
  double total = 0;
  double sum = 0;
  for (double log_nu = 0.2; log_nu < 5.2; log_nu += 0.25) {
    const double nu = std::exp(log_nu);
    const double away = (log_nu - std::log(20.0)) / 0.7;
    const double prior = -0.5 * away * away - 0.5 * nu * nu / 6400;
    const double constant =
        std::lgamma(0.5 * (nu + m)) - std::lgamma(0.5 * nu) - std::lgamma(0.5 * m) + prior;
    for (double t = -7; t < 1.2; t += 0.125) {
      const double scale = nu * std::exp(2 * t);
      const double given = constant + t - 2 * std::exp(2 * t) + 0.5 * nu * std::log(scale);
      for (double log_scatter = -5; log_scatter < std::log(n); log_scatter += 0.05) {
        const double scatter = std::exp(log_scatter);
        const double law = given + 0.5 * m * log_scatter - 0.5 * (nu + m) * std::log(scale + scatter);
        for (double mean = -0.975; mean < 1; mean += 0.05) {
          const double room = 1 - scatter / n - mean * mean;
          if (!(room > 0)) continue;
          double log_weight = law + 0.5 * std::log(room);
          for (const NoisyMoment& one : problem.moments) {
            const double latent = one.i == one.j ? scatter + n * mean * mean : n * mean;
            log_weight -= std::abs(one.value - latent) / one.noise.scale;
          }
          const double weight = std::exp(log_weight);
          total += weight;
          sum += weight * (scale + scatter) / (nu + m - 2);
        }
      }
    }
  }
  return sum / total;
}

TEST(ScatterDensity, OneColumnAgreesWithSumsOverGrids) {
  constexpr std::int64_t kRecords = 60;
  const MomentNoise noise{MomentNoise::Shape::laplace, 6};
  for (const double square : {2.0, 14.0}) {  // hidden, and seen
    ScatterProblem problem;
    problem.columns = 1;
    problem.total = KnownTotal{kRecords};
    problem.moments = {{1, 0, 7.0, noise}, {1, 1, square, noise}};
    DriverOptions options;
    options.draws = 4000;
    options.seed = 5;
    options.threads = 1;
    const MomentRun run = draw_learned_covariance(problem, options, {});
    double mean = 0;
    double squares = 0;
    for (const std::vector<double>& chain : run.chains.draws) {
      for (std::size_t i = 0; i < options.draws; ++i) {
        mean += chain[i] / 16'000;
        squares += chain[i] * chain[i] / 16'000;
      }
    }
    const double sd = std::sqrt(squares - mean * mean);
    // Draws are thinned to be nearly independent: 1000 of them at least.
    EXPECT_NEAR(mean, brute_force_variance(problem, kRecords), 5 * sd / std::sqrt(1000.0)) << square;
  }
}

TEST(ScatterDensity, RefusesPartsThatDoNotFit) {
  ScatterProblem problem;
  problem.columns = 2;
  problem.total = KnownTotal{3};  // a scatter of two columns needs four records
  EXPECT_ANY_THROW(ScatterDensity{problem});
  problem.total = KnownTotal{100};
  problem.moments = {{3, 0, 1.0, {}}};
  EXPECT_ANY_THROW(ScatterDensity{problem});
  problem.moments = {{1, 0, 1.0, {}}};
  problem.target = true;
  EXPECT_ANY_THROW((void)draw_learned_covariance(problem, {}, {}));
  problem.target = false;
  EXPECT_ANY_THROW((void)draw_learned_regression(problem, {}, {}));
  problem.origin = {1};  // one of two columns
  EXPECT_ANY_THROW(ScatterDensity{problem});
  problem.origin = {};
  problem.stated = stated_prior(3, false);
  EXPECT_ANY_THROW(ScatterDensity{problem});
}

}  // namespace
}  // namespace postern::infer
