#pragma once

#include "markov/law.hpp"

namespace postern::infer::markov {

/// How well empirical Bayes is done. Conjugate gradients stop short of the traces that they are to give,
/// which makes the variance too small. The mode hardly minds; intervals do.
struct PriorEffort {
  std::size_t probes = 3;
  double relative = 0.1;  ///< of each probe's residual
  int steps = 50;         ///< for each probe
  int updates = 6;
  double settled = 0.05;  ///< of the logarithm of the variance
};
inline constexpr PriorEffort kForIntervals{8, 1e-3, 1000, 20, 0.01};

/// The mode of theta given the noisy tables, theta normal about 0. See na_map.md.
[[nodiscard]] MarkovFit na_map(const Measurements& data, const MarkovOptions& options,
                               const Conversation& conversation, const PriorEffort& effort = {});

/// What is minimised, at a theta: for tests.
struct NaMapObjective {
  double value = 0;
  std::vector<double> gradient;
};
[[nodiscard]] NaMapObjective na_map_objective(const Measurements& data, std::span<const double> theta,
                                              double prior_variance);

}  // namespace postern::infer::markov
