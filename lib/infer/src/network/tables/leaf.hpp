#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/infer/network/problem.hpp"

#include "cell_potentials.hpp"
#include "network/row_message.hpp"

namespace postern::infer {

/// A variable without children, given its parents: for each row of its CPT what the row says about the number
/// of its records, and its counts given that number.
class Leaf {
 public:
  /// Whether the messages are small enough; if not, the variable is better kept as a table.
  [[nodiscard]] static bool worth_while(const NetworkProblem& problem, std::size_t variable);
  /// Nothing if a message does not fit the range of a double.
  [[nodiscard]] static std::optional<Leaf> make(const NetworkProblem& problem, std::size_t variable,
                                                int threads);

  [[nodiscard]] std::size_t variable() const { return variable_; }
  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
  /// Nothing where the row has no noisy values: it says nothing.
  [[nodiscard]] std::optional<CountMessage> message(std::size_t row) const;
  /// Counts of a row with so many records. Of a row without noisy values all are 0: what it tells about its
  /// probabilities is nothing.
  void draw(std::size_t row, std::int64_t total, std::span<std::int64_t> counts, Rng& rng) const;

 private:
  explicit Leaf(std::size_t variable) : variable_(variable) {}

  std::size_t variable_;
  std::vector<std::optional<RowMessage>> rows_;
};

}  // namespace postern::infer
