#pragma once

#include <cstddef>
#include <vector>

namespace postern::infer {

/// Places on [-1, 1], rising, and the polynomial through values there. Degrees 2, 4, 8, 16 and 32 have the
/// Chebyshev-Lobatto places; 12 and 24 lie between, with a new place in every other gap of 8 and of 16.
/// Each degree has the places of those below it. Between its places a polynomial errs by at most 8 times what
/// the best one does.
struct PanelNodes {
  std::vector<double> place;
  std::vector<double> inverse;  ///< values to Chebyshev coefficients, row by row

  [[nodiscard]] std::vector<double> fit(const std::vector<double>& value) const;
};

/// @pre degree is one of the above
[[nodiscard]] const PanelNodes& panel_nodes(std::size_t degree);

}  // namespace postern::infer
