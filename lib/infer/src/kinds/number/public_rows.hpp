#pragma once

#include "postern/infer/public_rows.hpp"
#include "postern/model/kinds/number.hpp"

namespace postern::infer {

/// What public numbers add up to as they are. Throws bad_option for one that the family cannot give, and
/// where no row holds any.
[[nodiscard]] PublicSums sum_public_numbers(const PublicColumn& column, const model::Number& model);

}  // namespace postern::infer
