#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/infer/regression/chain.hpp"

#include "regression_problems.hpp"

// The engine against another sampler of nearly the same law: Gibbs of Bernstein and Sheldon 2019, which takes
// the sums to be normal given the parameters, with Gaussian covariates and Gaussian noise. Of one feature and
// 2000 records the two laws are the same but for what the test allows.

namespace postern::infer {
namespace {

constexpr std::size_t kSums = 5;
using Sums = std::array<double, kSums>;  // x, x^2, y, xy, y^2
constexpr std::array<std::array<std::size_t, 2>, kSums> kPairs{{{1, 0}, {1, 1}, {2, 0}, {2, 1}, {2, 2}}};
using Square = std::array<Sums, kSums>;

struct Parameters {
  double mean = 0, variance = 0.1;  ///< of x
  double intercept = 0, slope = 0, sigma2 = 0.1;
};

/// Lower factor; false where there is none.
bool factorise(Square& a) {
  for (std::size_t i = 0; i < kSums; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i][k] * a[j][k];
      if (i == j && !(sum > 0)) return false;
      a[i][j] = i == j ? std::sqrt(sum) : sum / a[j][j];
    }
  }
  return true;
}
Sums solve(const Square& factor, Sums b) {
  for (std::size_t i = 0; i < kSums; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= factor[i][k] * b[k];
    b[i] /= factor[i][i];
  }
  for (std::size_t i = kSums; i-- > 0;) {
    for (std::size_t k = i + 1; k < kSums; ++k) b[i] -= factor[k][i] * b[k];
    b[i] /= factor[i][i];
  }
  return b;
}

/// Mean and covariance of one record's products, w = (1, x, y) being normal.
struct Law {
  Sums mean{};
  Square covariance{};
};
Law law_of(const Parameters& at) {
  const std::array<double, 3> m{1, at.mean, at.intercept + at.slope * at.mean};
  std::array<std::array<double, 3>, 3> c{};
  c[1][1] = at.variance;
  c[1][2] = c[2][1] = at.slope * at.variance;
  c[2][2] = at.slope * at.slope * at.variance + at.sigma2;
  Law out;
  for (std::size_t a = 0; a < kSums; ++a) {
    const auto [i, j] = kPairs[a];
    out.mean[a] = m[i] * m[j] + c[i][j];
    for (std::size_t b = 0; b < kSums; ++b) {
      const auto [k, l] = kPairs[b];
      out.covariance[a][b] = c[i][k] * c[j][l] + c[i][l] * c[j][k] + m[i] * m[k] * c[j][l] +
                             m[i] * m[l] * c[j][k] + m[j] * m[k] * c[i][l] + m[j] * m[l] * c[i][k];
    }
  }
  return out;
}

/// Sums given the parameters and what was seen through noise: s = p + C (C + N)^-1 (z - p'), with p and p'
/// a draw of the sums and of their noisy values.
Sums draw_sums(const Parameters& at, const Sums& seen, double noise, double n, Rng& rng) {
  const Law law = law_of(at);
  Square root = law.covariance;
  Square whole{};
  for (std::size_t a = 0; a < kSums; ++a) {
    for (std::size_t b = 0; b < kSums; ++b)
      whole[a][b] = n * law.covariance[a][b] + (a == b ? noise * noise : 0);
  }
  if (!factorise(root) || !factorise(whole)) return seen;
  Sums z{};
  for (double& one : z) one = draw_normal(rng);
  Sums sums{};
  Sums apart{};
  for (std::size_t a = 0; a < kSums; ++a) {
    sums[a] = n * law.mean[a];
    for (std::size_t k = 0; k <= a; ++k) sums[a] += std::sqrt(n) * root[a][k] * z[k];
    apart[a] = seen[a] - sums[a] - noise * draw_normal(rng);
  }
  const Sums pull = solve(whole, apart);
  for (std::size_t a = 0; a < kSums; ++a) {
    for (std::size_t b = 0; b < kSums; ++b) sums[a] += n * law.covariance[a][b] * pull[b];
  }
  return sums;
}

/// Parameters given the sums, by their conjugate priors. False for sums that no records have.
bool draw_parameters(Parameters& at, const Sums& s, const RegressionPrior& prior, double n, Rng& rng) {
  const double weight = prior.weight + n;
  const double scatter = prior.scale[0] + s[1] - s[0] * s[0] / weight;
  const double a = n + prior.precision[0];
  const double b = s[1] + prior.precision[1];
  const double det = a * b - s[0] * s[0];
  if (!(scatter > 0) || !(det > 0)) return false;
  const double slope = (a * s[3] - s[0] * s[2]) / det;
  const double intercept = (b * s[2] - s[0] * s[3]) / det;
  const double rate = prior.rate + 0.5 * (s[4] - intercept * s[2] - slope * s[3]);
  if (!(rate > 0)) return false;
  at.variance = scatter / (2 * draw_gamma(0.5 * (prior.degrees + n), rng));
  at.mean = s[0] / weight + std::sqrt(at.variance / weight) * draw_normal(rng);
  at.sigma2 = rate / draw_gamma(prior.shape + 0.5 * n, rng);
  // The slope first, then the intercept given it.
  at.slope = slope + std::sqrt(at.sigma2 * a / det) * draw_normal(rng);
  at.intercept = intercept - s[0] / a * (at.slope - slope) + std::sqrt(at.sigma2 / a) * draw_normal(rng);
  return true;
}

struct Moments {
  double mean = 0;
  double sd = 0;
};
Moments moments_of(const std::vector<double>& values) {
  Moments out;
  for (const double x : values) out.mean += x / static_cast<double>(values.size());
  for (const double x : values)
    out.sd += (x - out.mean) * (x - out.mean) / static_cast<double>(values.size());
  out.sd = std::sqrt(out.sd);
  return out;
}

TEST(RegressionGibbs, AgreesWithTheEngine) {
  constexpr double kN = 2000;
  constexpr double kNoise = 15;
  constexpr std::size_t kSteps = 40'000;
  Rng rng(21, 0, Purpose::test);
  const RegressionProblem problem =
      made_up_problem(1, static_cast<std::int64_t>(kN), {MomentNoise::Shape::gaussian, kNoise}, rng);
  Sums seen{};
  for (const NoisyMoment& one : problem.moments) {
    for (std::size_t a = 0; a < kSums; ++a) {
      if (kPairs[a][0] == one.i && kPairs[a][1] == one.j) seen[a] = one.value;
    }
  }
  Parameters at;
  std::vector<std::vector<double>> values(3);
  for (std::size_t step = 0; step < kSteps; ++step) {
    Parameters next = at;
    for (int tries = 0; tries < 100; ++tries) {
      if (!draw_parameters(next, draw_sums(at, seen, kNoise, kN, rng), problem.prior, kN, rng)) continue;
      at = next;
      break;
    }
    if (step < kSteps / 20) continue;
    values[0].push_back(at.intercept);
    values[1].push_back(at.slope);
    values[2].push_back(std::sqrt(at.sigma2));
  }
  DriverOptions options;
  options.threads = 2;
  const ChainRun run = draw_regression(problem, options, {});
  for (std::size_t q = 0; q < 3; ++q) {
    std::vector<double> ours;
    for (const std::vector<double>& chain : run.draws)
      ours.insert(ours.end(), chain.begin() + static_cast<std::ptrdiff_t>(q * options.draws),
                  chain.begin() + static_cast<std::ptrdiff_t>((q + 1) * options.draws));
    const Moments a = moments_of(ours);
    const Moments b = moments_of(values[q]);
    EXPECT_NEAR(a.mean, b.mean, 0.2 * b.sd) << "quantity " << q;
    EXPECT_NEAR(a.sd, b.sd, 0.12 * b.sd) << "quantity " << q;
  }
}

}  // namespace
}  // namespace postern::infer
