#pragma once

#include <vector>

#include "postern/model/plan.hpp"

namespace postern::model {

/// One choice a split of every row of every table, all with the same grid and scale: a draw of the network's
/// tables from their posterior (posterior-draw), or a point near its mode (map). The levels of a column are
/// halved, and the halves again, until one is left. @pre the request's mechanism is one of the two
/// Of shares it takes `draws`, so many draws at a part of the budget each, and `omega`, where the grid
/// begins. Fails: bad_option for other shares, unsupported for more splits than a document holds.
[[nodiscard]] std::vector<Block> design_grid(const Study& study, const Request& request,
                                             const Rational& budget);

}  // namespace postern::model
