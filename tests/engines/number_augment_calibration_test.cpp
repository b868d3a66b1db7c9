#include <cmath>
#include <cstdlib>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "postern/assess/distances.hpp"
#include "postern/core/draw.hpp"
#include "postern/core/parallel.hpp"

#include "number_augment_support.hpp"

// Simulation-based calibration (Talts et al. 2018): one chain of 99 kept draws a study, thinned as the driver
// thins. With a right posterior the ranks' distance from uniform exceeds 2.70/sqrt(M) with probability 1e-6 a
// quantity.

namespace postern::infer {
namespace {

struct Setting {
  std::string name;
  AugmentShape shape;
  std::int64_t n;  ///< known, or the largest
  bool latent;
  NumberNoise noise;
  NumberNoise assumed = noise;  ///< what the analyst believes
};

void PrintTo(const Setting& one, std::ostream* out) { *out << one.name; }

std::uint64_t seed() {
  const char* text = std::getenv("POSTERN_SEED");
  return text == nullptr ? 20261116 : std::strtoull(text, nullptr, 10);
}

/// The analyst has the released values, and may be wrong about the noise.
void believe(std::vector<NoisyValue>& noisy_values, const std::vector<release::NoiseLaw>& laws) {
  for (std::size_t i = 0; i < noisy_values.size(); ++i) noisy_values[i].law = laws[i];
}

/// Ranks in [0, 1] of the quantities of one simulated study.
std::vector<double> simulate_and_rank(const Setting& setting, std::size_t index) {
  Rng rng(seed(), static_cast<std::uint32_t>(index), Purpose::calibration);
  NumberProblem problem = make_number(setting.shape);
  std::int64_t n = setting.n;
  problem.total = KnownTotal{n};
  if (setting.latent) {
    problem.total = LatentTotal{n};
    n = static_cast<std::int64_t>(draw_below(static_cast<std::uint64_t>(n) + 1, rng));
  }
  const TrueNumber truth = draw_truth(problem, n, rng);
  see(problem, setting.noise, truth.totals, rng);
  believe(problem.sums, setting.assumed.sums);
  believe(problem.square_sums, setting.assumed.squares);
  DriverOptions options;
  options.chains = 1;
  options.draws = 99;
  options.seed = rng();
  options.threads = 1;
  const ChainRun run = draw_augmented_number({problem}, options, {});
  std::vector<double> out;
  for (std::size_t q = 0; q * options.draws < run.draws[0].size(); ++q) {
    const double value = q < problem.parameters ? truth.theta[q] : truth.totals.n;
    out.push_back(rank_of(value, std::span(run.draws[0]).subspan(q * options.draws, options.draws), rng));
  }
  return out;
}

/// KS distance of each quantity's ranks from uniform.
std::vector<double> distances(const Setting& setting, std::size_t studies) {
  std::vector<std::vector<double>> ranks(studies);
  parallel_for(studies, 0, [&](std::size_t i) { ranks[i] = simulate_and_rank(setting, i); });
  std::vector<double> out;
  for (std::size_t q = 0; q < ranks[0].size(); ++q) {
    std::vector<double> one;
    for (const auto& r : ranks) one.push_back(r[q]);
    out.push_back(assess::ks_uniform(one));
  }
  return out;
}

class NumberCalibration : public testing::TestWithParam<Setting> {};

TEST_P(NumberCalibration, RanksAreUniform) {
  constexpr std::size_t kStudies = 1000;
  const std::vector<double> found = distances(GetParam(), kStudies);
  for (std::size_t q = 0; q < found.size(); ++q) {
    EXPECT_LT(found[q], 2.70 / std::sqrt(double{kStudies})) << "quantity " << q;
    RecordProperty("ks_" + std::to_string(q), std::to_string(found[q]));
  }
}

const model::Values kGrid = model::RealRange{0, 3, Rational(1, 20), {}};
const model::Values kSigned = model::RealRange{-3, 3, Rational(1, 10), {}};
const model::Values kWhole = model::IntegerRange{0, 12, {}};

// Widths by replacement: epsilon 1 over a range of 60 steps is 1/60, and so on.
INSTANTIATE_TEST_SUITE_P(
    All, NumberCalibration,
    testing::Values(
        Setting{"exponential_30",
                {"exponential", {}, {8, 2}, kGrid},
                30,
                false,
                {{laplace(1 / 60.)}, {}, {}, {}}},
        Setting{"exponential_10_vague",
                {"exponential", {}, {8, 2}, kGrid},
                10,
                false,
                {{laplace(0.1 / 60)}, {}, {}, {}}},
        Setting{"poisson_10", {"poisson", {}, {4, 1}, kWhole}, 10, false, {{gaussian(144)}, {}, {}, {}}},
        Setting{"poisson_latent_30",
                {"poisson", {}, {4, 1}, kWhole},
                30,
                true,
                {{laplace(0.9 / 12)}, {}, {}, {laplace(0.3)}}},
        Setting{"geometric_30_sharp",
                {"geometric", {}, {2, 3}, kWhole},
                30,
                false,
                {{laplace(10. / 12)}, {}, {}, {}}},
        Setting{"bernoulli_latent_30",
                {"binomial", {1}, {1, 1}, model::IntegerRange{0, 1, {}}},
                30,
                true,
                {{laplace(0.5)}, {}, {laplace(0.5)}, {}}},
        Setting{"normal_mean_10",
                {"normal-mean", {1}, {0, 1}, kSigned},
                10,
                false,
                {{laplace(1 / 60.)}, {}, {}, {}}},
        Setting{"normal_10",
                {"normal", {}, {0, 2, 4, 3}, kSigned},
                10,
                false,
                {{laplace(1 / 60.)}, {laplace(1 / 900.)}, {}, {}}},
        Setting{"normal_30",
                {"normal", {}, {0, 2, 4, 3}, kSigned},
                30,
                false,
                {{gaussian(900)}, {gaussian(160000)}, {}, {}}},
        Setting{"normal_latent_30",
                {"normal", {}, {0, 2, 4, 3}, kSigned},
                30,
                true,
                {{laplace(1 / 60.)}, {laplace(1 / 900.)}, {}, {laplace(0.3)}}}),
    [](const auto& one) { return one.param.name; });

// The test can fail: who takes the noise for half as wide is found out.
TEST(NumberCalibration, SeesAWrongNoise) {
  Setting setting{"wrong", {"exponential", {}, {8, 2}, kGrid}, 30, false, {{laplace(0.3 / 60)}, {}, {}, {}}};
  setting.assumed.sums = {laplace(0.9 / 60)};
  EXPECT_GT(distances(setting, 1000)[0], 2.70 / std::sqrt(1000.0));
}

}  // namespace
}  // namespace postern::infer
