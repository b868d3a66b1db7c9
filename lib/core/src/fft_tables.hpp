#pragma once

#include <array>
#include <cstddef>

#include "fft_kernel.hpp"

namespace postern::fft {

/// e^(2 pi i top / bottom), correct to the last digit or so: the angle is reduced in integers.
/// @pre top < bottom < 2^58.
[[nodiscard]] Complex unit_root(std::size_t top, std::size_t bottom);

/// The node that a transform starts from.
enum class Root : std::size_t { i = 2, minus_i = 3 };

/// Twiddles of the 2^log_count nodes at one level under a root. Made once and kept; safe to call from any
/// thread.
[[nodiscard]] Level level_twiddles(Root root, int log_count);

}  // namespace postern::fft
