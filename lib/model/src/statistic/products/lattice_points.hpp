#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "statistic/products/cost.hpp"

namespace postern::model {

struct Listing {
  bool complete = false;
  std::size_t steps = 0;  ///< partial vectors looked at
};
using FoundVector = std::function<Integer(const std::vector<std::int64_t>&)>;

/// Every whole vector of a box where a concave quadratic is above a level, one after the other (Fincke and
/// Pohst 1985, with the box's ends): a few near its top, however fine the grid.
///
/// `found` is called with each of them and says the level from then on, which must not fall. The listing is
/// not complete if the quadratic is not strictly concave in the columns where the box is wide, or if it
/// would take more than `patience` steps. @pre the quadratic's centre is in the box
[[nodiscard]] Listing list_above(const Majorant& quadratic, const VectorBox& box, const Integer& level,
                                 std::size_t patience, const FoundVector& found);

}  // namespace postern::model
