#pragma once

#include "postern/model/statistic/moments.hpp"

namespace postern::model {

[[nodiscard]] bool of_squares(MomentPart part);
/// Of an entry times 1.
[[nodiscard]] bool of_sums(MomentPart part);

/// One record sets all sums of products of its numbers and levels, so they are paid for together
/// (cost.md).
[[nodiscard]] const CostRule& moments_rule();

}  // namespace postern::model
