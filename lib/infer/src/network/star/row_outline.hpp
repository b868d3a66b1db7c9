#pragma once

#include <cstdint>
#include <vector>

#include "counts/cell.hpp"
#include "counts/total_weight.hpp"
#include "network/row_message.hpp"

namespace postern::infer {

/// A row's message, to within a nat or so: its saddlepoint approximation
///
///   log m(N) ~ log h(N) + K(t) - t N - log(1 + 2 pi K''(t)) / 2,   K'(t) = N,
///
/// K the log mass of the row's product law under the tilt t. K(t) - t N is concave in N, and each tilt gives
/// one of its tangents; few are needed, and they are found as they are asked for. Decides windows only.
class RowOutline {
 public:
  RowOutline(const CptRow& row, std::int64_t most);

  /// Up to a constant. @pre 0 <= total <= most, a whole number
  [[nodiscard]] double log_at(double total);
  /// The tilt under which the expected total is about this one.
  [[nodiscard]] double tilt_at(double total);
  /// All tangents found so far.
  [[nodiscard]] std::vector<RowMessage::Bound> bounds() const;

 private:
  struct Tangent {
    double tilt = 0;
    double total = 0;   ///< where it touches
    double height = 0;  ///< K(t) - t N there
    double spread = 0;  ///< log(1 + 2 pi K''(t)) / 2
    double sd = 0;
  };
  [[nodiscard]] Tangent touch(double tilt) const;
  /// The index of the tangent that touches right of a total, the one before it touching left, after adding
  /// what is missing between.
  std::size_t bracket(double total);
  void reach(double total);

  std::vector<Cell> cells_;
  TotalWeight total_weight_;
  double height_at_zero_ = 0;
  std::vector<Tangent> tangents_;  ///< by total; none for one cell, which is its total
  bool lowest_ = false;            ///< no tilt touches further left
  bool highest_ = false;
};

}  // namespace postern::infer
