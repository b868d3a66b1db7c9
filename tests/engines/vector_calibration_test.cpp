#include <cmath>
#include <cstdlib>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "postern/assess/distances.hpp"
#include "postern/core/parallel.hpp"

#include "ranks.hpp"
#include "vector_support.hpp"

// Simulation-based calibration (Talts et al. 2018): one chain of 99 kept draws a study, thinned as the driver
// thins. With a right posterior the ranks' distance from uniform exceeds 2.70/sqrt(M) with probability 1e-6 a
// quantity. Noise is what the owner would add for epsilon.

namespace postern::infer {
namespace {

struct Setting {
  std::size_t columns;
  std::int64_t n;  ///< known, or the largest
  double epsilon;
  bool latent;  ///< add-remove
  std::size_t studies;
  bool gaussian = false;
  std::size_t sets = 1;
  double assumed = epsilon;  ///< what the analyst believes

  friend std::ostream& operator<<(std::ostream& out, const Setting& one) {
    return out << one.columns << " columns, " << one.sets << " sets of " << one.n << " records, epsilon "
               << one.epsilon << (one.latent ? ", n private" : "") << (one.gaussian ? ", gaussian" : "");
  }
};

std::uint64_t seed() {
  const char* text = std::getenv("POSTERN_SEED");
  return text == nullptr ? 20261116 : std::strtoull(text, nullptr, 10);
}

/// Ranks in [0, 1] of the quantities of one simulated study. A tenth of the records or so is clamped.
std::vector<double> simulate_and_rank(const Setting& setting, std::size_t index) {
  Rng rng(seed(), static_cast<std::uint32_t>(index), Purpose::calibration);
  const std::size_t d = setting.columns;
  const VectorShape shape{d, model::RealRange{0, 1, Rational(1, 50), {}},
                          wishart_prior(d, 4, static_cast<double>(d) + 6, 0.22, 0.3)};
  VectorProblem problem = make_vectors(shape, setting.sets);
  const MeanAndSpread theta = NormalWishart(shape.prior).draw({}, rng);
  std::vector<double> truth = values_of(theta, d);
  for (VectorRecords& records : problem.sets) {
    std::int64_t n = setting.n;
    records.total = KnownTotal{n};
    if (setting.latent) {
      records.total = LatentTotal{n};
      n = static_cast<std::int64_t>(draw_below(static_cast<std::uint64_t>(n) + 1, rng));
      truth.push_back(static_cast<double>(n));
    }
    const auto noise = [&](double epsilon) {
      return noise_for(records, epsilon, setting.latent, setting.gaussian);
    };
    see(records, noise(setting.epsilon), draw_totals(records, theta, n, rng), rng);
    const VectorNoiseLaws believed = noise(setting.assumed);
    for (std::size_t s = 0; s < sums_of(d); ++s)
      (s < d ? records.sums[s] : records.products[s - d])[0].law = believed.sums[s];
  }
  DriverOptions options;
  options.chains = 1;
  options.draws = 99;
  options.seed = rng();
  options.threads = 1;
  options.most_warmup = 5000;
  const ChainRun run = draw_augmented_vectors(problem, options, {});
  std::vector<double> out;
  for (std::size_t q = 0; q < truth.size(); ++q)
    out.push_back(rank_of(truth[q], std::span(run.draws[0]).subspan(q * options.draws, options.draws), rng));
  return out;
}

/// KS distance of each quantity's ranks from uniform.
std::vector<double> distances(const Setting& setting) {
  std::vector<std::vector<double>> ranks(setting.studies);
  parallel_for(setting.studies, 0, [&](std::size_t i) { ranks[i] = simulate_and_rank(setting, i); });
  std::vector<double> out;
  for (std::size_t q = 0; q < ranks[0].size(); ++q) {
    std::vector<double> one;
    for (const auto& r : ranks) one.push_back(r[q]);
    out.push_back(assess::ks_uniform(one));
  }
  return out;
}

class VectorCalibration : public testing::TestWithParam<Setting> {};

TEST_P(VectorCalibration, RanksAreUniform) {
  const std::vector<double> found = distances(GetParam());
  for (std::size_t q = 0; q < found.size(); ++q) {
    EXPECT_LT(found[q], 2.70 / std::sqrt(static_cast<double>(GetParam().studies))) << "quantity " << q;
    RecordProperty("ks_" + std::to_string(q), std::to_string(found[q]));
  }
}

INSTANTIATE_TEST_SUITE_P(All, VectorCalibration,
                         testing::Values(Setting{2, 10, 0.1, false, 1000}, Setting{2, 10, 5, false, 1000},
                                         Setting{2, 10, 1, true, 1000}, Setting{2, 100, 1, false, 300},
                                         Setting{3, 10, 1, false, 600}, Setting{3, 10, 5, true, 600},
                                         Setting{2, 10, 5, false, 600, true},
                                         Setting{2, 10, 5, true, 500, false, 2}));

std::vector<Setting> all_settings() {
  std::vector<Setting> out;
  for (const std::size_t columns : {2, 3}) {
    for (const std::int64_t n : {10, 100, 1000}) {
      for (const double epsilon : {0.1, 1.0, 5.0}) {
        for (const bool latent : {false, true})
          out.push_back({columns, n, epsilon, latent, n < 1000 ? std::size_t{1000} : std::size_t{400}});
      }
    }
  }
  return out;
}
INSTANTIATE_TEST_SUITE_P(Long, VectorCalibration, testing::ValuesIn(all_settings()));

// The test can fail: who takes the noise for a fifth of its width is found out.
TEST(VectorCalibrationItself, SeesAWrongNoise) {
  Setting setting{2, 10, 2, false, 2000};
  setting.assumed = 10;
  double worst = 0;
  for (const double ks : distances(setting)) worst = std::max(worst, ks);
  EXPECT_GT(worst, 2.70 / std::sqrt(2000.0));
}

}  // namespace
}  // namespace postern::infer
