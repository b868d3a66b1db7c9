#pragma once

#include <span>
#include <vector>

#include "network/row_message.hpp"

namespace postern::infer {

/// E[theta_v | N] and E[theta_v^2 | N] of every cell v of a row, for the totals N of a window.
struct RowShares {
  std::vector<std::vector<double>> first;  ///< by cell, then N
  std::vector<std::vector<double>> second;
};

/// E[theta_v | N] = E[alpha_v + s_v | N] / (alpha_0 + N), the counts s being those that the row's tree sums.
[[nodiscard]] RowShares row_shares(const RowMessage& row, std::span<const double> alpha, Window totals);

}  // namespace postern::infer
