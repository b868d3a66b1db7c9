#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "postern/core/draw.hpp"
#include "postern/core/rng.hpp"
#include "postern/infer/network/problem.hpp"

namespace postern::infer {

/// A simulated study of one root and its leaves: parameters from the prior, records, noisy tables.
struct StarStudy {
  NetworkProblem problem;
  std::vector<double> theta;  ///< the true CPTs, families in order
  std::int64_t n = 0;
};

struct StarOptions {
  std::uint32_t classes = 2;
  std::vector<std::uint32_t> leaves = {2, 3};
  double alpha = 0.5;
  std::int64_t n = 20;  ///< known; the bound of a latent one, which is then uniform
  bool latent = false;
  std::vector<release::NoiseLaw> releases = {release::DiscreteLaplace(0.5)};
};

inline double noise_of(const release::NoiseLaw& law, Rng& rng) {
  return std::visit([&](const auto& one) { return static_cast<double>(one.simulate(rng)); }, law);
}

inline StarStudy simulate_star(const StarOptions& options, Rng& rng) {
  StarStudy study;
  NetworkProblem& problem = study.problem;
  problem.sizes = {options.classes};
  problem.sizes.insert(problem.sizes.end(), options.leaves.begin(), options.leaves.end());
  study.n = options.n;
  problem.total = KnownTotal{options.n};
  if (options.latent) {
    study.n = static_cast<std::int64_t>(draw_below(static_cast<std::uint64_t>(options.n) + 1, rng));
    problem.total = LatentTotal{options.n, 0};
  }
  std::vector<std::int64_t> classes(options.classes);
  for (std::uint32_t v = 0; v < problem.sizes.size(); ++v) {
    NetworkFamily family;
    family.variables = v == 0 ? std::vector<std::uint32_t>{0} : std::vector<std::uint32_t>{0, v};
    const std::size_t levels = problem.sizes[v];
    for (std::size_t row = 0; row < (v == 0 ? 1 : options.classes); ++row) {
      const std::vector<double> alpha(levels, options.alpha);
      std::vector<double> theta(levels);
      std::vector<std::int64_t> counts(levels);
      draw_dirichlet(alpha, theta, rng);
      draw_multinomial(v == 0 ? study.n : classes[row], theta, counts, rng);
      if (v == 0) classes = counts;
      for (std::size_t k = 0; k < levels; ++k) {
        family.alpha.push_back(alpha[k]);
        family.noisy_values.emplace_back();
        for (const release::NoiseLaw& law : options.releases)
          family.noisy_values.back().push_back({static_cast<double>(counts[k]) + noise_of(law, rng), law});
        study.theta.push_back(theta[k]);
      }
    }
    problem.families.push_back(std::move(family));
  }
  return study;
}

}  // namespace postern::infer
