#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"

/// The naive Bayes experiment of Zhang, Rubinstein & Dimitrakakis 2016, section 5.1: a binary class and
/// sixteen binary features. Everything here is in floating point and some of it is not private at all;
/// nothing can write a release.
namespace postern::zhang16 {

inline constexpr std::size_t kFeatures = 16;

/// The parameters: one coin for the class, one for each feature given the class.
struct Coins {
  double one = 0.5;                                        ///< P(class 1)
  std::array<std::array<double, 2>, kFeatures> feature{};  ///< P(feature 1 | class)
};

struct Record {
  std::uint8_t label = 0;
  std::uint16_t features = 0;  ///< bit i is feature i
};

/// Counts, or what a mechanism made of them: of classes, and of features by class.
struct Tables {
  std::array<double, 2> label{};
  std::array<std::array<std::array<double, 2>, 2>, kFeatures> feature{};  ///< [feature][class][value]
};

/// P(class 1) = 1/2, features' coins uniform.
[[nodiscard]] Coins draw_truth(Rng& rng);
[[nodiscard]] std::vector<Record> draw_records(const Coins& truth, std::size_t n, Rng& rng);
[[nodiscard]] Tables count(std::span<const Record> records);

/// Calls change(cell) for all 66 cells.
template <class Change>
void for_each_cell(Tables& tables, const Change& change) {
  for (double& cell : tables.label) change(cell);
  for (auto& feature : tables.feature) {
    for (auto& row : feature) {
      for (double& cell : row) change(cell);
    }
  }
}

/// Posterior means of independent Betas: (prior + count of ones) / (2 prior + count).
[[nodiscard]] Coins posterior_mean(const Tables& tables, double prior);

/// The share of records whose class has the larger probability, averaged over the draws before it is
/// normalised.
[[nodiscard]] double accuracy(std::span<const Coins> draws, std::span<const Record> test);
/// The share of the commoner class: what a rule that looks at no feature can reach.
[[nodiscard]] double majority_share(std::span<const Record> test);
/// Means over records, in nats: of log P(class | features) and of log P(class, features).
struct LogScores {
  double label = 0;
  double joint = 0;
};
[[nodiscard]] LogScores log_scores(const Coins& coins, std::span<const Record> test);

}  // namespace postern::zhang16
