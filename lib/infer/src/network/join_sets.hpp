#pragma once

#include <span>

#include "postern/infer/network/problem.hpp"

namespace postern::infer {

/// What the releases of several record sets say about one network, as one problem: a further variable tells
/// the sets apart, and a table of one set is the slice of a table that holds this variable. The prior is that
/// of the first problem. Throws unsupported for coefficients and choices. @pre all are of one network
[[nodiscard]] NetworkProblem join_sets(std::span<const NetworkProblem> problems);

}  // namespace postern::infer
