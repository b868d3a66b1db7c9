#pragma once

#include <span>
#include <vector>

#include "postern/core/rng.hpp"

namespace postern::infer {

/// The concentrations that a learned row may have, in records, each as likely as any other: 0.1, 0.3, 1, 3,
/// .., 10^4 times `scale`.
[[nodiscard]] std::vector<double> concentration_grid(double scale);
/// The same range with eight points a decade: rows of many cells tell log A more closely than the other's
/// step.
[[nodiscard]] std::vector<double> fine_concentration_grid(double scale);

/// A from its law on the grid given the counts of a row ~ Dirichlet(A q):
/// Gamma(A) / Gamma(A + N) prod_v Gamma(A q_v + c_v) / Gamma(A q_v).
[[nodiscard]] double draw_concentration(std::span<const double> row, std::span<const double> centre,
                                        std::span<const double> grid, Rng& rng);

}  // namespace postern::infer
