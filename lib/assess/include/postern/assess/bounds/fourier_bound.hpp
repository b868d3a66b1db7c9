#pragma once

#include <cstddef>

namespace postern::assess {

// How far a family's table moves when its Fourier coefficients are noised (Zhang et al. 2016, Theorem 3): a
// bound of the sum of absolute errors of its cells that fails with probability delta. Public: no count is
// looked at.

/// Binary variables; Laplace noise of one scale on every coefficient.
struct FourierNoise {
  std::size_t coefficients = 0;  ///< of the downward closure, the constant one included
  double scale = 0;              ///< sensitivity / epsilon
  double increment = 0;          ///< added to the constant coefficient, so that cells are not negative
};

/// For one family of `variables`, its own child included.
[[nodiscard]] double fourier_table_bound(const FourierNoise& noise, std::size_t variables, double delta);
/// For one such family among all families of the network at once.
[[nodiscard]] double fourier_tables_bound(const FourierNoise& noise, std::size_t variables, double delta);
/// As printed, for noise of scale 2 coefficients / epsilon and the increment 4 t coefficients^2 / epsilon:
/// right for all families at once, and at least twice the bound above.
[[nodiscard]] double fourier_printed_bound(std::size_t coefficients, std::size_t parents, double epsilon,
                                           double t, double delta);

// All fail with `usage`: no coefficient, more than 30 variables, a number that is not positive and finite (an
// increment or t may be 0), delta outside (0, 1).

}  // namespace postern::assess
