#pragma once

#include <vector>

#include "kinds/number/exact/set_likelihood.hpp"
#include "line_density.hpp"
#include "theta_line.hpp"

namespace postern::infer {

/// Panels to begin with: the range of the prior, and the places where the mean of a set's sum is what a noisy
/// value says, each with the width over which sampling smears it. @pre at least one set
[[nodiscard]] Line starting_line(const std::vector<const SetLikelihood*>& sets, const ThetaLine& line);

}  // namespace postern::infer
