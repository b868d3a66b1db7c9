#pragma once

#include <string>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/column.hpp"

namespace postern::infer {

/// age < 30, income >= 50000
enum class Comparison { less, at_most, more, at_least };

/// The levels at which it holds. Throws bad_option, naming what could be asked, where it holds for a part of
/// a level or the column has no numbers.
[[nodiscard]] std::vector<bool> levels_where(const model::Column& column, Comparison comparison,
                                             const Rational& bound);

}  // namespace postern::infer
