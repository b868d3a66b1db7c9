#include <cmath>
#include <cstdlib>
#include <ostream>

#include <gtest/gtest.h>

#include "postern/assess/distances.hpp"
#include "postern/core/parallel.hpp"
#include "postern/infer/glm/chain.hpp"

#include "glm_problems.hpp"
#include "ranks.hpp"

// Simulation-based calibration (Talts et al. 2018): one chain of 99 kept draws a study. Coefficients,
// features and targets are drawn by the model, targets exactly so: the engine's normal law of sums of
// products is on trial too. With a right posterior the ranks' distance from uniform exceeds 2.70/sqrt(M) with
// probability 1e-6 a quantity.

namespace postern::infer {
namespace {

struct Setting {
  std::size_t features;
  std::int64_t n;
  double epsilon;
  std::size_t studies;
  double most = 0;  ///< of a count; 0: two levels
  bool latent = false;
  double assumed = epsilon;

  friend std::ostream& operator<<(std::ostream& out, const Setting& one) {
    return out << (one.most > 0 ? "counts" : "odds") << ", " << one.features << " features, " << one.n
               << " records, epsilon " << one.epsilon << (one.latent ? ", n private" : "");
  }
};

std::uint64_t seed() {
  const char* text = std::getenv("POSTERN_SEED");
  return text == nullptr ? 20261118 : std::strtoull(text, nullptr, 10);
}

MomentNoise noise_for(std::size_t width, double epsilon) {
  return {MomentNoise::Shape::laplace, (static_cast<double>(width * (width + 1)) / 2 - 1) / epsilon};
}

std::vector<double> ranks_in(const Setting& setting, std::size_t index) {
  Rng rng(seed(), static_cast<std::uint32_t>(index), Purpose::calibration);
  GlmProblem problem = blank_glm(setting.features, {setting.most});
  const auto least = static_cast<std::int64_t>(problem.sums.width());
  std::int64_t n = setting.n;
  if (setting.latent)
    n = least + static_cast<std::int64_t>(draw_below(static_cast<std::uint64_t>(2 * n - least + 1), rng));
  const MomentNoise noise = noise_for(problem.sums.width(), setting.epsilon);
  std::vector<double> truth = see_records(problem, n, noise, rng).theta;
  if (setting.latent) {
    problem.sums.total = LatentTotal{2 * setting.n};
    problem.sums.moments.push_back(
        {0, 0, static_cast<double>(n) + std::round(draw_noise(noise, rng)), noise});
    truth.push_back(static_cast<double>(n));
  }
  for (NoisyMoment& one : problem.sums.moments) one.noise = noise_for(problem.sums.width(), setting.assumed);
  DriverOptions options;
  options.chains = 1;
  options.draws = 99;
  options.seed = rng();
  options.threads = 1;
  const ChainRun run = draw_glm(problem, options, {});
  std::vector<double> out;
  for (std::size_t q = 0; q < truth.size(); ++q)
    out.push_back(rank_of(truth[q], std::span(run.draws[0]).subspan(q * options.draws, options.draws), rng));
  return out;
}

struct Verdict {
  double worst = 0;     ///< distance of a quantity's ranks from uniform
  double coverage = 0;  ///< of slopes, by central 90 %
  double error = 0;     ///< of that
};

Verdict judge(const Setting& setting) {
  std::vector<std::vector<double>> ranks(setting.studies);
  parallel_for(setting.studies, 0, [&](std::size_t i) { ranks[i] = ranks_in(setting, i); });
  Verdict out;
  for (std::size_t q = 0; q < ranks.front().size(); ++q) {
    std::vector<double> of_one;
    of_one.reserve(ranks.size());
    for (const std::vector<double>& one : ranks) of_one.push_back(one[q]);
    out.worst = std::max(out.worst, assess::ks_uniform(of_one));
  }
  const auto studies = static_cast<double>(setting.studies);
  double squares = 0;
  for (const std::vector<double>& one : ranks) {
    double covered = 0;
    for (std::size_t q = 1; q <= setting.features; ++q)
      covered += (one[q] > 0.05 && one[q] < 0.95 ? 1 : 0) / static_cast<double>(setting.features);
    out.coverage += covered / studies;
    squares += covered * covered / studies;
  }
  out.error = std::sqrt(std::max(squares - out.coverage * out.coverage, 0.0) / studies);
  return out;
}

class GlmCalibration : public testing::TestWithParam<Setting> {};

TEST_P(GlmCalibration, RanksAreUniform) {
  const Verdict verdict = judge(GetParam());
  EXPECT_LT(verdict.worst, 2.70 / std::sqrt(static_cast<double>(GetParam().studies)));
  EXPECT_NEAR(verdict.coverage, 0.9, 0.01 + 4 * verdict.error);
  std::printf("%s: coverage %.3f (+- %.3f), distance %.3f\n", testing::PrintToString(GetParam()).c_str(),
              verdict.coverage, verdict.error, verdict.worst);
}

INSTANTIATE_TEST_SUITE_P(All, GlmCalibration,
                         testing::Values(Setting{2, 300, 2, 100}, Setting{1, 200, 3, 80, 10},
                                         Setting{1, 100, 2, 60, 0, true}));

std::vector<Setting> all_settings() {
  std::vector<Setting> out;
  for (const double most : {0.0, 10.0}) {
    for (const std::size_t features : {1, 3, 10}) {
      for (const std::int64_t n : {100, 1000, 10'000}) {
        for (const double epsilon : {0.1, 1.0, 10.0})
          out.push_back({features, n, epsilon, features < 10 ? std::size_t{1000} : std::size_t{300}, most});
      }
    }
  }
  out.push_back({3, 300, 5, 1000, 0, true});
  out.push_back({20, 2000, 2, 100});
  return out;
}
INSTANTIATE_TEST_SUITE_P(Long, GlmCalibration, testing::ValuesIn(all_settings()));

// The test can fail: who takes the noise for a fiftieth of its width is found out.
TEST(GlmCalibrationItself, SeesAWrongNoise) {
  Setting setting{1, 1000, 0.2, 100};
  setting.assumed = 10;
  EXPECT_GT(judge(setting).worst, 2.70 / std::sqrt(100.0));
}

}  // namespace
}  // namespace postern::infer
