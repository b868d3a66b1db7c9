#pragma once

#include <cstdint>

#include "postern/core/rng.hpp"

namespace postern::infer::markov {

/// A number in 0..1, kept by the nearer of its ends so that neither tail loses digits.
struct Uniform {
  double tail = 0.5;   ///< how far from the end
  bool upper = false;  ///< is the end 1?
};

/// How many of n records fall below a share p, as a function of a uniform number: its quantile.
[[nodiscard]] std::int64_t binomial_quantile(std::int64_t n, double p, Uniform u);
/// A uniform number given that its quantile is x. @pre 0 <= x <= n, and x is possible
[[nodiscard]] Uniform draw_uniform_given(std::int64_t x, std::int64_t n, double p, Rng& rng);

}  // namespace postern::infer::markov
