#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "postern/model/statistic.hpp"
#include "postern/model/transform.hpp"

namespace postern::model {

/// Sum over the records of k^power, k being the integer that level_values gives the record's level; mirrored,
/// of the largest k minus k. Power 0 counts the records at levels to which no value from outside the column's
/// range is put.
struct LevelSum {
  std::string column;
  Transform transform;
  int power = 1;
  bool mirrored = false;
};
[[nodiscard]] const StatisticKind& kind_of(const LevelSum& sum);
/// What one record at each level adds to a sum. @pre its shape is accepted.
[[nodiscard]] std::vector<std::int64_t> level_terms(const LevelSum& sum, const Schema& schema);

/// Sum over the records of the product of two columns' k, as LevelSum without a transform gives them. `first`
/// comes before `second` in the model.
struct ProductSum {
  std::string first;
  std::string second;
};
[[nodiscard]] const StatisticKind& kind_of(const ProductSum& sum);

}  // namespace postern::model
