#pragma once

#include "postern/model/statistic.hpp"

namespace postern::model {

/// By which coefficients are paid for: exact by elimination where that needs at most 2^24 states, else the
/// largest change of each coefficient, added up (cost.md).
[[nodiscard]] const CostRule& fourier_rule();

}  // namespace postern::model
