#include <cmath>
#include <cstdlib>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "postern/assess/distances.hpp"
#include "postern/core/parallel.hpp"
#include "postern/infer/regression/chain.hpp"

#include "ranks.hpp"
#include "regression_problems.hpp"

// Simulation-based calibration (Talts et al. 2018): one chain of 99 kept draws a study. Truth and records are
// drawn from the engine's own law: the prior, and records that are let pass with the chance its density gives
// to moments of columns in -1..1. With a right posterior the ranks' distance from uniform
// exceeds 2.70/sqrt(M) with probability 1e-6 a quantity. Noise is Laplace, or Gaussian of the same variance,
// of the scale that epsilon buys: all sums together change by at most half of width (width + 1).

namespace postern::infer {
namespace {

struct Setting {
  std::size_t features;
  std::int64_t n;  ///< known, or about the middle of what is possible
  double epsilon;
  std::size_t studies;
  bool latent = false;
  bool gaussian = false;
  bool products = true;  ///< of two features are measured
  double assumed = epsilon;

  friend std::ostream& operator<<(std::ostream& out, const Setting& one) {
    return out << one.features << " features, " << one.n << " records, epsilon " << one.epsilon
               << (one.latent ? ", n private" : "") << (one.gaussian ? ", gaussian" : "")
               << (one.products ? "" : ", no products");
  }
};

std::uint64_t seed() {
  const char* text = std::getenv("POSTERN_SEED");
  return text == nullptr ? 20261118 : std::strtoull(text, nullptr, 10);
}

MomentNoise noise_for(std::size_t width, double epsilon, bool gaussian) {
  const double scale = static_cast<double>(width * (width + 1)) / 2 / epsilon;
  if (!gaussian) return {MomentNoise::Shape::laplace, scale};
  return {MomentNoise::Shape::gaussian, std::sqrt(2.0) * scale};
}

struct Study {
  RegressionProblem problem;
  std::vector<double> truth;  ///< beta, sigma, n if it is latent
};

/// n is uniform up to 2 n where it is latent. The chance to pass depends on n and tilts its law, so that n is
/// drawn again with every draw of records.
Study make_study(const Setting& setting, Rng& rng) {
  Study out;
  out.problem.features = setting.features;
  out.problem.prior = centred_prior(setting.features);
  const auto least = static_cast<std::int64_t>(out.problem.width());
  std::int64_t n = setting.n;
  const auto draw = [&] {
    const auto sizes = static_cast<std::uint64_t>(2 * setting.n - least + 1);
    if (setting.latent) n = least + static_cast<std::int64_t>(draw_below(sizes, rng));
    return draw_records(out.problem.prior, n, rng);
  };
  MadeUpRecords records = draw();
  while (!pass(records, rng)) records = draw();
  const std::size_t width = out.problem.width();
  const MomentNoise noise = noise_for(width, setting.epsilon, setting.gaussian);
  see(out.problem, records, noise, rng);
  if (!setting.products) {
    std::erase_if(out.problem.moments,
                  [&](const NoisyMoment& one) { return one.i != one.j && one.j > 0 && one.i + 1 < width; });
  }
  out.problem.total = KnownTotal{n};
  if (setting.latent) {
    out.problem.total = LatentTotal{2 * setting.n};
    out.problem.moments.push_back({0, 0, static_cast<double>(n) + std::round(draw_noise(noise, rng)), noise});
  }
  for (NoisyMoment& one : out.problem.moments)
    one.noise = noise_for(width, setting.assumed, setting.gaussian);
  out.truth = records.beta;
  out.truth.push_back(records.sigma);
  if (setting.latent) out.truth.push_back(static_cast<double>(n));
  return out;
}

struct Verdict {
  std::vector<double> ranks;
  double covered = 0;        ///< slopes inside their central 90 %, on average
  double covered_naive = 0;  ///< the same of the plug-in posterior
};

double coverage(const std::vector<double>& ranks, std::size_t features) {
  double out = 0;
  for (std::size_t q = 1; q <= features; ++q) out += ranks[q] > 0.05 && ranks[q] < 0.95 ? 1 : 0;
  return out / static_cast<double>(features);
}

Verdict judge(const Setting& setting, std::size_t index) {
  Rng rng(seed(), static_cast<std::uint32_t>(index), Purpose::calibration);
  const Study study = make_study(setting, rng);
  DriverOptions options;
  options.chains = 1;
  options.draws = 99;
  options.seed = rng();
  options.threads = 1;
  const auto ranks = [&](const ChainRun& run) {
    std::vector<double> out;
    for (std::size_t q = 0; q < study.truth.size(); ++q)
      out.push_back(
          rank_of(study.truth[q], std::span(run.draws[0]).subspan(q * options.draws, options.draws), rng));
    return out;
  };
  Verdict out;
  out.ranks = ranks(draw_regression(study.problem, options, {}));
  out.covered = coverage(out.ranks, setting.features);
  out.covered_naive = coverage(ranks(draw_plug_in_regression(study.problem, options, {})), setting.features);
  return out;
}

std::vector<Verdict> judge_all(const Setting& setting) {
  std::vector<Verdict> out(setting.studies);
  parallel_for(setting.studies, 0, [&](std::size_t i) { out[i] = judge(setting, i); });
  return out;
}

double distance(const std::vector<Verdict>& verdicts, std::size_t quantity) {
  std::vector<double> ranks;
  ranks.reserve(verdicts.size());
  for (const Verdict& one : verdicts) ranks.push_back(one.ranks[quantity]);
  return assess::ks_uniform(ranks);
}

class RegressionCalibration : public testing::TestWithParam<Setting> {};

TEST_P(RegressionCalibration, RanksAreUniform) {
  const std::vector<Verdict> verdicts = judge_all(GetParam());
  const auto studies = static_cast<double>(verdicts.size());
  for (std::size_t q = 0; q < verdicts.front().ranks.size(); ++q)
    EXPECT_LT(distance(verdicts, q), 2.70 / std::sqrt(studies)) << "quantity " << q;
  double covered = 0;
  double squares = 0;
  double naive = 0;
  for (const Verdict& one : verdicts) {
    covered += one.covered / studies;
    squares += one.covered * one.covered / studies;
    naive += one.covered_naive / studies;
  }
  const double error = std::sqrt(std::max(squares - covered * covered, 0.0) / studies);
  EXPECT_NEAR(covered, 0.9, 0.01 + 4 * error);
  RecordProperty("coverage", std::to_string(covered));
  RecordProperty("coverage_naive", std::to_string(naive));
  std::printf("%s: coverage %.3f (+- %.3f), plug-in %.3f\n", testing::PrintToString(GetParam()).c_str(),
              covered, error, naive);
}

INSTANTIATE_TEST_SUITE_P(All, RegressionCalibration,
                         testing::Values(Setting{1, 100, 1, 200}, Setting{3, 100, 10, 50},
                                         Setting{2, 40, 2, 120, true},
                                         Setting{2, 100, 3, 100, false, true, false}));

std::vector<Setting> all_settings() {
  std::vector<Setting> out;
  for (const std::size_t features : {1, 3, 10}) {
    for (const std::int64_t n : {100, 1000, 10'000}) {
      for (const double epsilon : {0.1, 1.0, 10.0})
        out.push_back({features, n, epsilon, features < 10 ? std::size_t{1000} : std::size_t{300}});
    }
  }
  out.push_back({1, 300, 1, 1000, true});
  out.push_back({3, 300, 5, 1000, true});
  out.push_back({3, 5, 5, 1000});  // as many records as w has entries
  out.push_back({3, 3, 5, 1000});  // and fewer
  return out;
}
INSTANTIATE_TEST_SUITE_P(Long, RegressionCalibration, testing::ValuesIn(all_settings()));

// The test can fail: who takes the noise for a fifth of its width is found out.
TEST(RegressionCalibrationItself, SeesAWrongNoise) {
  Setting setting{1, 100, 1, 200};
  setting.assumed = 5;
  const std::vector<Verdict> verdicts = judge_all(setting);
  double worst = 0;
  for (std::size_t q = 0; q < 3; ++q) worst = std::max(worst, distance(verdicts, q));
  EXPECT_GT(worst, 2.70 / std::sqrt(200.0));
}

}  // namespace
}  // namespace postern::infer
