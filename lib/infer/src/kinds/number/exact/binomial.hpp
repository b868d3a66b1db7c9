#pragma once

#include <optional>

#include "postern/infer/kinds/number/problem.hpp"
#include "postern/infer/kinds/table/problem.hpp"

namespace postern::infer {

/// Binomial records are trials: n of them with m trials each are n m trials, whose successes the sum counts
/// and whose failures the mirrored sum counts. As a table of two cells, where that is the same problem: n is
/// known, or nothing but the cells is seen.
[[nodiscard]] std::optional<CountProblem> as_trials(const NumberProblem& problem);

}  // namespace postern::infer
