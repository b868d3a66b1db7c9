#pragma once

#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/statistic/sums.hpp"

namespace postern::model {

/// A sum of one column and what a change of it by D costs: weight |D| (pure) or weight D^2 (zCDP).
struct WeighedSum {
  const LevelSum* sum = nullptr;
  Rational weight;
};

/// 1 for each level where a record is surely inside the column's range, else 0. Throws bad_value where
/// outside values are dropped, where nothing is inside, and where a level inside adds what one for outside
/// values adds.
[[nodiscard]] std::vector<std::int64_t> inside_terms(const Column& column, const Transform& transform);

/// The most that one record can cost in all the sums of one column together, over all levels (add-remove) or
/// pairs of levels (replace-one). Exact; the argument is in measurement.md. @pre the sums are of one column.
[[nodiscard]] Rational worst_level(const std::vector<WeighedSum>& sums, const Schema& schema,
                                   Currency currency);
[[nodiscard]] Rational worst_pair(const std::vector<WeighedSum>& sums, const Schema& schema,
                                  Currency currency);

}  // namespace postern::model
