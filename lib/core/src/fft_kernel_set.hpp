#pragma once

#include "fft_odd.hpp"
#include "fft_passes.hpp"
#include "fft_powers.hpp"

namespace postern::fft {

/// The kernels, compiled for the instruction set of the source file that includes this.
[[maybe_unused]] static constexpr Kernels kKernels = {
    .forward2 = [](Halves z, std::size_t m, Complex w) { pass2<true>(z, m, w); },
    .inverse2 = [](Halves z, std::size_t m, Complex w) { pass2<false>(z, m, w); },
    .forward4 = [](Halves z, std::size_t m, Complex w) { pass4<true>(z, m, w); },
    .inverse4 = [](Halves z, std::size_t m, Complex w) { pass4<false>(z, m, w); },
    .forward_rest = [](Halves z, std::size_t m, std::size_t place,
                       const Level* level) { rest_forward(z, m, place, level); },
    .inverse_rest = [](Halves z, std::size_t m, std::size_t place, const Level* level,
                       double scale) { rest_inverse(z, m, place, level, scale); },
    .forward_odd = [](Halves z, std::size_t m, const OddTwist& odd) { pass_any_odd<true>(z, m, odd); },
    .inverse_odd = [](Halves z, std::size_t m, const OddTwist& odd) { pass_any_odd<false>(z, m, odd); },
    .multiply = [](Halves a, const double* b_re, const double* b_im,
                   std::size_t m) { multiply_all<false>(a, b_re, b_im, m); },
    .multiply_conjugate = [](Halves a, const double* b_re, const double* b_im,
                             std::size_t m) { multiply_all<true>(a, b_re, b_im, m); },
    .raise = [](Halves a, std::size_t m, std::size_t n) { raise_all(a, m, n); },
    .multiply_powers = [](Points a, Points b, std::size_t m, std::size_t first, double* lane,
                          std::size_t count) { multiply_all_powers(a, b, m, first, lane, count); },
};

}  // namespace postern::fft
