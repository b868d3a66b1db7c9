#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "postern/core/warning.hpp"
#include "postern/model/number_law.hpp"

namespace postern::infer {

/// Public auxiliary records: counts by cell, table after table; or levels, where a kind keeps rows one by
/// one.
struct PublicCounts {
  std::vector<std::int64_t> counts;
  std::int64_t rows = 0;               ///< that were counted
  std::vector<Warning> warnings = {};  ///< about the rows, for those who use the posterior
};
/// Public auxiliary records of a number: what they add up to as they are, neither clamped nor rounded.
struct PublicSums {
  model::Sums sums;
  std::int64_t left_out = 0;  ///< rows that held no number
};
using PublicRows = std::variant<PublicCounts, PublicSums>;

}  // namespace postern::infer
