#pragma once

#include <cstddef>

namespace postern::zhang16 {

/// Standard deviations of one cell's noise at epsilon = 1 in a chain of binary variables, each with its
/// `order` predecessors as parents: Remark 1 says that Fourier noise wins where few are children of many.
struct ChainNoise {
  std::size_t coefficients = 0;
  double laplace = 0;
  double fourier_printed = 0;  ///< sensitivity 2 coefficients
  double fourier = 0;          ///< exact sensitivity
};
/// @pre variables <= 16, order < variables. Cells are those of a full family.
[[nodiscard]] ChainNoise chain_noise(std::size_t variables, std::size_t order);

}  // namespace postern::zhang16
