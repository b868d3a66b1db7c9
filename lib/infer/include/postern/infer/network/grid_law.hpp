#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace postern::infer {

/// The law by which a point of a grid is chosen for one split of a row, given the records on both sides:
///     P(g | a, b) ~ exp(a log_g + b log_{G-1-g} + prior_g),
/// all three with the scale of the choice in them. Splits with the same prior share one. Thread-safe.
class GridLaw {
 public:
  /// @pre as many of both, at least one
  GridLaw(std::vector<double> logs, std::vector<double> prior);

  [[nodiscard]] std::size_t points() const { return logs_.size(); }
  /// Of `below` records and one chosen point: what a further record below the split adds to its score.
  [[nodiscard]] double slope_below(std::size_t chosen) const { return logs_[chosen]; }
  [[nodiscard]] double slope_above(std::size_t chosen) const { return logs_[logs_.size() - 1 - chosen]; }
  [[nodiscard]] double log_probability(std::size_t chosen, std::int64_t below, std::int64_t above) const {
    return score(chosen, static_cast<double>(below), static_cast<double>(above)) -
           log_normaliser(below, above);
  }
  /// log of the sum over the grid. Tabulated where both counts are small; else threads remember what they
  /// were asked lately, since chains come back to the same counts.
  [[nodiscard]] double log_normaliser(std::int64_t below, std::int64_t above) const;

 private:
  [[nodiscard]] double score(std::size_t g, double below, double above) const {
    return below * logs_[g] + above * logs_[logs_.size() - 1 - g] + prior_[g];
  }
  [[nodiscard]] double sum(std::int64_t below, std::int64_t above) const;

  std::uint64_t id_;  ///< among all laws, for what threads remember
  std::vector<double> logs_;
  std::vector<double> prior_;
  mutable std::once_flag tabulated_;
  mutable std::vector<double> table_;  ///< of counts that together are small
};

}  // namespace postern::infer
