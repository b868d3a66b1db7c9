// Simulation-based calibration: parameters from the prior, records, noise; the rank of each parameter among
// the draws of its posterior is even.

#include <cstdlib>
#include <utility>

#include <gtest/gtest.h>

#include "postern/core/parallel.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/network/tables_chain.hpp"

#include "network_tables_support.hpp"
#include "ranks.hpp"

namespace postern::infer {
namespace {

constexpr double kAlpha = 1e-6;

struct Setting {
  std::vector<std::uint32_t> sizes;
  Parents parents;
  release::NoiseLaw law;
  std::int64_t n = 0;
  bool latent = false;
  enum class Released { tables, coefficients, choices } released = Released::tables;
};

std::uint64_t seed() {
  const char* text = std::getenv("POSTERN_SEED");
  return text == nullptr ? 20261118 : std::strtoull(text, nullptr, 10);
}

const std::shared_ptr<const GridLaw> kGrid = grid_law(31, 0.05, 1, 0.5);

/// Ranks of all quantities, study by study.
std::vector<std::vector<double>> ranks(const Setting& setting, std::size_t studies) {
  std::vector<std::vector<double>> out(studies);
  parallel_for(studies, 0, [&](std::size_t i) {
    Rng rng(seed(), static_cast<std::uint32_t>(i), Purpose::test);
    NetworkProblem problem = empty_network(setting.sizes, setting.parents, 0.5);
    std::int64_t n = setting.n;
    problem.total = KnownTotal{n};
    if (setting.latent) {
      problem.total = LatentTotal{n, 0};
      n = static_cast<std::int64_t>(draw_below(static_cast<std::uint64_t>(n) + 1, rng));
    }
    std::vector<double> truth = draw_truth(problem, rng);
    if (setting.released == Setting::Released::tables)
      release_records(problem, truth, n, setting.law, rng);
    else if (setting.released == Setting::Released::coefficients)
      release_coefficients(problem, truth, n, setting.law, rng);
    else
      release_choices(problem, truth, n, kGrid, 1, rng);
    if (setting.latent) truth.push_back(static_cast<double>(n));
    DriverOptions options;
    options.chains = 2;
    options.draws = 50;
    options.seed = rng();
    options.threads = 1;
    const ChainRun run = draw_network_tables(problem, options, {});
    std::vector<double> draws;
    for (std::size_t q = 0; q < truth.size(); ++q) {
      draws.clear();
      for (const auto& chain : run.draws)
        draws.insert(draws.end(), chain.begin() + static_cast<std::ptrdiff_t>(q * options.draws),
                     chain.begin() + static_cast<std::ptrdiff_t>((q + 1) * options.draws));
      out[i].push_back(rank_of(truth[q], draws, rng));
    }
  });
  return out;
}

void expect_calibrated(const Setting& setting, std::size_t studies) {
  const std::vector<std::vector<double>> all = ranks(setting, studies);
  const auto m = static_cast<double>(studies);
  for (std::size_t q = 0; q < all.front().size(); ++q) {
    std::vector<double> own;
    for (const auto& study : all) own.push_back(study[q]);
    std::sort(own.begin(), own.end());
    double distance = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const auto below = static_cast<double>(i);
      distance = std::max({distance, own[i] - below / m, (below + 1) / m - own[i]});
    }
    EXPECT_GT(kolmogorov_tail(distance, m), kAlpha / static_cast<double>(all.front().size()))
        << "quantity " << q;
  }
}

release::NoiseLaw laplace(double lambda) { return release::DiscreteLaplace(lambda); }
release::NoiseLaw gaussian(double sigma2) { return release::DiscreteGaussian(sigma2); }

/// Two parents of one, which has a child with a child: a clique of three, leaves integrated out.
const Parents kCollider{{}, {}, {0, 1}, {2}, {3}};
/// A loop of four with a tail: a clique of three variables that no table holds together.
const Parents kLoop{{}, {0}, {0}, {1, 2}, {3}};
/// Loops that share an edge, cliques of four.
const Parents kLadder{{}, {0}, {0, 1}, {1, 2}, {2, 3}, {0, 3}, {5, 4}};

TEST(NetworkTablesCalibration, ColliderWithPublicN) {
  expect_calibrated({{2, 3, 2, 3, 2}, kCollider, laplace(0.2), 60, false}, 300);
}

TEST(NetworkTablesCalibration, LoopWithPrivateN) {
  expect_calibrated({{2, 2, 3, 2, 2}, kLoop, gaussian(9), 50, true}, 300);
}

TEST(NetworkTablesCalibration, CoefficientsWithPublicN) {
  expect_calibrated({{2, 2, 2}, {{}, {}, {0, 1}}, laplace(0.2), 40, false, Setting::Released::coefficients},
                    200);
}

TEST(NetworkTablesCalibration, ChoicesWithPublicN) {
  expect_calibrated({{2, 3}, {{}, {0}}, laplace(1), 40, false, Setting::Released::choices}, 200);
}

TEST(LongNetworkTablesCalibration, CoefficientsWithPrivateN) {
  expect_calibrated(
      {{2, 3, 2, 2}, {{}, {0}, {0, 1}, {2}}, gaussian(9), 100, true, Setting::Released::coefficients}, 1000);
}

TEST(LongNetworkTablesCalibration, ChoicesWithPrivateN) {
  expect_calibrated({{2, 2, 2}, {{}, {0}, {0, 1}}, laplace(1), 60, true, Setting::Released::choices}, 1000);
}

TEST(LongNetworkTablesCalibration, ColliderWithPublicN) {
  expect_calibrated({{2, 3, 2, 3, 2}, kCollider, laplace(0.05), 300, false}, 1000);
}

TEST(LongNetworkTablesCalibration, ColliderWithPrivateN) {
  expect_calibrated({{3, 2, 3, 2, 2}, kCollider, laplace(0.5), 100, true}, 1000);
}

TEST(LongNetworkTablesCalibration, LoopWithPublicN) {
  expect_calibrated({{3, 2, 2, 3, 2}, kLoop, gaussian(4), 1000, false}, 1000);
}

TEST(LongNetworkTablesCalibration, LoopWithPrivateN) {
  expect_calibrated({{2, 2, 3, 2, 2}, kLoop, laplace(0.1), 500, true}, 1000);
}

TEST(LongNetworkTablesCalibration, LadderWithPublicN) {
  expect_calibrated({{2, 2, 3, 2, 2, 2, 3}, kLadder, laplace(1), 100, false}, 1000);
}

TEST(LongNetworkTablesCalibration, LadderWithPrivateN) {
  expect_calibrated({{2, 2, 2, 3, 2, 2, 2}, kLadder, gaussian(100), 200, true}, 1000);
}

}  // namespace
}  // namespace postern::infer
