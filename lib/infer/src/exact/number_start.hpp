#pragma once

#include <vector>

#include "number_density.hpp"
#include "number_set.hpp"
#include "number_theta.hpp"

namespace postern::infer {

/// Panels to begin with: the range of the prior, and the places where the mean of a set's sum is what a sight
/// says, each with the width over which sampling smears it. @pre at least one set
[[nodiscard]] Line starting_line(const std::vector<const NumberSet*>& sets, const ThetaLine& line);

}  // namespace postern::infer
