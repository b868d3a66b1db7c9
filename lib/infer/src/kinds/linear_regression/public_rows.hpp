#pragma once

#include <vector>

#include "postern/infer/public_rows.hpp"
#include "postern/infer/regression/problem.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// Sums of w_i w_j + 1 over public rows, as the study encodes them, in units of its grid (1 / steps^2), so
/// that none is negative: the lower triangle, row by row. Numbers beyond their bounds are at the bound, and
/// rows that lack a column are left out.
/// Throws bad_option where none is left.
[[nodiscard]] PublicCounts sum_regression_rows(const std::vector<PublicColumn>& columns,
                                               const model::Study& study);

/// Adds what such rows add up to. Throws bad_option for sums that no rows have.
void add_public_rows(RegressionProblem& problem, const PublicRows& rows, const model::Study& study);

}  // namespace postern::infer
