#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/assess/distances.hpp"
#include "postern/core/draw.hpp"
#include "postern/core/parallel.hpp"
#include "postern/infer/chains/driver.hpp"

#include "number_augment_support.hpp"

namespace postern::infer {

/// Record sets behind one theta.
struct ChainSetting {
  AugmentShape shape;
  std::vector<std::int64_t> n;  ///< of each set, or the largest
  bool latent;
  NumberNoise noise;
};

/// Ranks of theta and of each latent n among the draws of one chain.
template <class Run>
std::vector<double> simulate_and_rank(const ChainSetting& setting, std::size_t index, const Run& run_chain) {
  Rng rng(20261116, static_cast<std::uint32_t>(index), Purpose::calibration);
  std::vector<NumberProblem> sets;
  NumberProblem problem = make_number(setting.shape);
  const model::Theta theta = problem.law->draw_theta(problem.prior, rng);
  std::vector<double> truth(theta.begin(), theta.begin() + static_cast<std::ptrdiff_t>(problem.parameters));
  for (const std::int64_t most : setting.n) {
    std::int64_t n = most;
    problem.total = KnownTotal{n};
    if (setting.latent) {
      problem.total = LatentTotal{most};
      n = static_cast<std::int64_t>(draw_below(static_cast<std::uint64_t>(most) + 1, rng));
      truth.push_back(static_cast<double>(n));
    }
    see(problem, setting.noise, draw_totals(problem, theta, n, rng), rng);
    sets.push_back(problem);
  }
  DriverOptions options;
  options.chains = 1;
  options.draws = 99;
  options.seed = rng();
  options.threads = 1;
  const ChainRun run = run_chain(sets, options);
  std::vector<double> out;
  for (std::size_t q = 0; q < truth.size(); ++q)
    out.push_back(rank_of(truth[q], std::span(run.draws[0]).subspan(q * 99, 99), rng));
  return out;
}

/// KS distance of each quantity's ranks from uniform: above 2.70/sqrt(M) with probability 1e-6.
template <class Run>
void expect_chain_calibrated(const ChainSetting& setting, const Run& run_chain) {
  constexpr std::size_t kStudies = 1000;
  std::vector<std::vector<double>> ranks(kStudies);
  parallel_for(kStudies, 0, [&](std::size_t i) { ranks[i] = simulate_and_rank(setting, i, run_chain); });
  for (std::size_t q = 0; q < ranks[0].size(); ++q) {
    std::vector<double> one;
    for (const auto& r : ranks) one.push_back(r[q]);
    const double distance = assess::ks_uniform(one);
    EXPECT_LT(distance, 2.70 / std::sqrt(double{kStudies})) << "quantity " << q;
    testing::Test::RecordProperty("ks_" + std::to_string(q), std::to_string(distance));
  }
}

}  // namespace postern::infer
