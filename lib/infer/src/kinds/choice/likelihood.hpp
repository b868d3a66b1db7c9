#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace postern::infer {

/// One published choice: candidate z is chosen with probability proportional to exp(sum_i log_weight(z,
/// x_i)).
struct ChosenCandidate {
  std::vector<double> log_weights;  ///< candidates x levels
  std::size_t chosen = 0;
};

/// What choices made from the same records say about them, and about the law that the records came from
/// (Williams and McSherry 2010, section 3.1). Immutable.
class ChoiceLikelihoods {
 public:
  ChoiceLikelihoods(std::vector<ChosenCandidate> choices, std::size_t levels);

  [[nodiscard]] std::size_t levels() const { return levels_; }
  /// How many numbers one look at a table of counts takes.
  [[nodiscard]] std::size_t weights() const;
  /// log P(the choices | how many records are at each level).
  [[nodiscard]] double log_at(std::span<const std::int64_t> counts) const;

  // n records from the law with these probabilities of levels. Several choices are one choice among all
  // combinations of their candidates; past kMostCombinations of these there are no bounds.
  static constexpr std::size_t kMostCombinations = 4096;
  [[nodiscard]] bool has_bounds() const { return joint_.has_value(); }
  /// log of (5a), which is at most log P(the choices | law). @pre has_bounds()
  [[nodiscard]] double log_lower(std::span<const double> p, double n) const;
  /// log of (5b) at the best distribution over the candidates, which is at least that. @pre has_bounds()
  [[nodiscard]] double log_upper(std::span<const double> p, double n) const;
  /// log of (5b) at a given distribution over the combinations. @pre has_bounds()
  [[nodiscard]] double log_upper(std::span<const double> p, double n, std::span<const double> q) const;
  /// The distribution that Williams and McSherry choose, with the privacy parameter that it lacks in print:
  /// proportional to the expected weights under the law. @pre has_bounds()
  [[nodiscard]] std::vector<double> expected_choice(std::span<const double> p, double n) const;

 private:
  std::vector<ChosenCandidate> choices_;
  std::vector<std::vector<double>> by_level_;  ///< their log weights, levels x candidates
  std::size_t levels_;
  std::optional<ChosenCandidate> joint_;
  std::vector<double> odds_;  ///< e^{log weight - that of the chosen}, where none of them overflows
};

}  // namespace postern::infer
