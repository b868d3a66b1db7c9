#pragma once

#include "markov/law.hpp"

namespace postern::infer::markov {

/// The mode of theta given the noisy tables, theta normal about 0. See na_map.md.
[[nodiscard]] MarkovFit na_map(const Measurements& data, const MarkovOptions& options,
                               const Conversation& conversation);

/// What is minimised, at a theta: for tests.
struct NaMapObjective {
  double value = 0;
  std::vector<double> gradient;
};
[[nodiscard]] NaMapObjective na_map_objective(const Measurements& data, std::span<const double> theta,
                                              double prior_variance);

}  // namespace postern::infer::markov
