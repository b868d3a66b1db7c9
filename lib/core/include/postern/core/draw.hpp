#pragma once

#include <cstdint>
#include <span>

#include "postern/core/rng.hpp"

namespace postern {

// Draws for inference. All are golden-tested: same stream, same numbers, on every platform we build on.

[[nodiscard]] double draw_normal(Rng& rng);
[[nodiscard]] double draw_exponential(Rng& rng);
/// Gamma(shape, rate 1), any shape > 0. `draw_log_gamma` is its logarithm, exact also where the draw
/// underflows.
[[nodiscard]] double draw_gamma(double shape, Rng& rng);
[[nodiscard]] double draw_log_gamma(double shape, Rng& rng);
[[nodiscard]] double draw_beta(double a, double b, Rng& rng);
/// Fills `theta` with a Dirichlet(alpha) draw; sums to 1 up to rounding, also for tiny alpha. The
/// two may be one array.
void draw_dirichlet(std::span<const double> alpha, std::span<double> theta, Rng& rng);
[[nodiscard]] std::uint64_t draw_below(std::uint64_t bound, Rng& rng);  ///< uniform on 0..bound-1, exact
[[nodiscard]] std::int64_t draw_binomial(std::int64_t n, double p, Rng& rng);
/// A whole number, as a double: rates beyond 2^53 have no whole numbers to tell apart.
[[nodiscard]] double draw_poisson(double rate, Rng& rng);
void draw_multinomial(std::int64_t n, std::span<const double> p, std::span<std::int64_t> counts, Rng& rng);

}  // namespace postern
