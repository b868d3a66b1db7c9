#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "postern/model/statistic.hpp"

namespace postern::model {

/// Grid steps between the middle of a column's range and its ends, unless a study names others. Rounding
/// moves a number by at most 1/4096 of its range, and sums of a million records by less than their noise.
inline constexpr std::int64_t kMomentSteps = 1024;
inline constexpr std::int64_t kMostMomentSteps = 16'384;  ///< products of two stay below 2^28

/// Which products of w = (1, features, target) a block sums. Owners' shares call them by these names.
enum class MomentPart {
  x,          ///< "x": 1 times a feature
  y,          ///< "y": 1 times the target
  x_squares,  ///< "x^2": of features that are numbers
  y_square,   ///< "y^2"
  xx,         ///< "xx": two different features
  xy,         ///< "xy": a feature times the target
};
[[nodiscard]] std::string_view to_text(MomentPart part);

/// Sums over the records of products of two entries of w. Every record is scaled by public bounds and rounded
/// before it is summed: a number is the integer nearest to steps * (2 (x - lo) / (hi - lo) - 1), half away
/// from zero; a category (a column of categories, or a number with cuts) has an entry a level but the first,
/// which is `steps` at that level and 0 elsewhere. So each integer is `steps` times an entry of w, in [-1,
/// 1], and a sum of products of two is steps^2 times what it stands for.
///
/// The square of an indicator is the indicator, and the product of two levels of one category is 0: neither
/// is measured.
struct Moments {
  std::vector<std::string> features;
  std::string target;                 ///< a number; or a column of two levels, taken as -1 and 1
  std::int64_t steps = kMomentSteps;  ///< even
  MomentPart part = MomentPart::x;
  bool centred = false;  ///< squares only: of w^2 - 1/2
};
[[nodiscard]] const StatisticKind& kind_of(const Moments& moments);

/// Is the column a number, or else a category?
[[nodiscard]] bool is_regression_number(const Column& column);
/// The integer of every level of a number's column, from -steps to steps, not falling.
[[nodiscard]] std::vector<std::int16_t> moment_levels(const Column& column, std::int64_t steps);

/// An entry of w after the 1: a column of `features`, or the target (column = features.size()).
struct MomentEntry {
  std::size_t column = 0;
  std::uint32_t level = 0;  ///< of a category: 1 and above; 0 of a number
};
/// Those of the features alone, in their order. Fails: bad_value for columns that cannot be.
[[nodiscard]] std::vector<MomentEntry> feature_entries(const std::vector<std::string>& features,
                                                       const std::string& target, const Schema& schema);
/// w_1 ... w_{d+1}: the features' entries in their order, the target last.
/// Fails: bad_value for columns that cannot be.
[[nodiscard]] std::vector<MomentEntry> moment_entries(const Moments& moments, const Schema& schema);

/// The places in w of the two entries whose product a coordinate sums, first <= second; w_0 = 1.
struct MomentPair {
  std::size_t first = 0;
  std::size_t second = 0;
};
/// One a coordinate of the block, in the order of its values.
[[nodiscard]] std::vector<MomentPair> moment_pairs(const Moments& moments, const Schema& schema);
/// What a step of the released integers is in sums of w_i w_j: 1 / steps for x and y, 1 / steps^2 otherwise.
[[nodiscard]] Rational moment_unit(const Moments& moments);

}  // namespace postern::model
