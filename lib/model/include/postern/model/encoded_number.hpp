#pragma once

#include <cstdint>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/model/column.hpp"
#include "postern/model/number_law.hpp"
#include "postern/model/transform.hpp"

namespace postern::model {

/// The integer k that a record at each level of a column of numbers adds to a sum of t, and what it stands
/// for: t is about zero + unit * k. Without a transform k counts steps of the grid from the level nearest to
/// zero, exactly; otherwise t is rounded to the power of two that cuts its range into 2^20 to 2^21 steps.
struct LevelValues {
  std::vector<std::int64_t> adds;  ///< one a level, not falling; |k| <= 2^21, or 2^20 without a transform
  double zero = 0;
  double unit = 1;
};
/// @pre the column holds numbers without cuts; its range suits the transform (log: above 0; power: not
/// below 0).
[[nodiscard]] LevelValues level_values(const Column& column, const Transform& transform);

/// The k of the first and of the last level without a transform; between them k rises by one a level. k = 0
/// is one of them. @pre the column holds numbers without cuts; otherwise it is refused.
struct LevelEnds {
  std::int64_t least = 0;
  std::int64_t most = 0;
  /// The largest |k|.
  [[nodiscard]] std::int64_t reach() const { return -least > most ? -least : most; }
};
[[nodiscard]] LevelEnds level_ends(const Column& column);

/// A number as the owner encodes it: which t come to which level, and what each level adds.
struct EncodedNumber {
  LevelValues values;
  std::vector<double> edges;  ///< levels + 1: level l holds edges[l] <= t < edges[l + 1]
  std::int64_t below = 0;     ///< the level of t < edges.front(), or -1: the record is dropped
  std::int64_t above = 0;     ///< the level of t >= edges.back(), or -1

  [[nodiscard]] std::size_t levels() const { return values.adds.size(); }
  /// Can a record at this level only come from inside the column's range?
  [[nodiscard]] bool inside(std::size_t level) const {
    const auto at = static_cast<std::int64_t>(level);
    return at != below && at != above;
  }
  /// Does t lie outside the column's range?
  [[nodiscard]] bool lies_outside(double t) const { return t < edges.front() || t >= edges.back(); }
  /// The level of t, or -1.
  [[nodiscard]] std::int64_t level_of(double t) const;
};
[[nodiscard]] EncodedNumber encoded_number(const Column& column, const Transform& transform,
                                           Wholes wholes = Wholes::drawn);

/// The same levels as encoded_number's under Wholes::rounded, by arithmetic: a range may have a million of
/// them, and a few made-up numbers need no table.
class NumberLevels {
 public:
  /// @pre the column holds numbers without cuts; otherwise it is refused.
  explicit NumberLevels(const Column& column);
  [[nodiscard]] bool lies_outside(double t) const { return t < first_ || t >= end_; }
  /// The level of t, or -1.
  [[nodiscard]] std::int64_t level_of(double t) const;

 private:
  double first_ = 0;   ///< where the first level begins
  double second_ = 0;  ///< where the second one does, and others a stride apart
  double stride_ = 1;
  double end_ = 0;
  std::int64_t last_ = 0;
  std::int64_t below_ = 0;
  std::int64_t above_ = 0;
};

/// P(level | theta) of a kept record, one a level: outside mass goes where the column's policy says, and
/// what is dropped is conditioned away. Returns P(kept).
double level_masses(const NumberLaw& law, const Theta& theta, const EncodedNumber& number,
                    std::vector<double>& masses);

}  // namespace postern::model
