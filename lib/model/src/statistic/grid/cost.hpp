#pragma once

#include "postern/model/statistic/grid_split.hpp"

namespace postern::model {

/// What the choices of all splits cost together (cost.md).
[[nodiscard]] const CostRule& grid_rule();

}  // namespace postern::model
