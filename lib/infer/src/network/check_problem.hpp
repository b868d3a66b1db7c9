#pragma once

#include "postern/infer/network/problem.hpp"

namespace postern::infer {

/// Fails: bad_value where sizes do not match, a parent is not a variable, an alpha is not positive and
/// finite, a released value is not finite, or a total is out of range.
void check_network_problem(const NetworkProblem& problem);

}  // namespace postern::infer
