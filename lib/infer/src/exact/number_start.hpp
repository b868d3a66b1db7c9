#pragma once

#include "number_density.hpp"
#include "number_record.hpp"
#include "number_theta.hpp"

namespace postern::infer {

/// Panels to begin with: the range of the prior, and the places where the mean of the sum is what a sight
/// says, each with the width over which sampling smears it. `n`: the number of records, or a guess.
[[nodiscard]] Line starting_line(const NumberProblem& problem, const ThetaLine& line, const RecordLaw& record,
                                 double n);

}  // namespace postern::infer
