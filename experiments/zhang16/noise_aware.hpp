#pragma once

#include <span>

#include "naive_bayes.hpp"

namespace postern::zhang16 {

/// Beta(label, label) of the class, Beta(feature, feature) of features' coins.
struct Priors {
  double label = 1;
  double feature = 1;
};

/// How well the class, or the whole record, is predicted by the exact posterior given what was released:
/// integers with discrete Laplace noise of this rate on every cell, unclipped, and the number of records.
struct Prediction {
  double accuracy = 0;
  LogScores log_scores;
};
[[nodiscard]] Prediction noise_aware_prediction(const Tables& released, std::size_t records, double rate,
                                                const Priors& priors, std::span<const Record> test);

}  // namespace postern::zhang16
