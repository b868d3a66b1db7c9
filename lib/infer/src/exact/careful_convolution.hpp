#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace postern::infer {

/// Bound on the absolute error of any value of a convolution by one transform.
[[nodiscard]] double transform_error(std::span<const double> a, std::span<const double> b);

/// Values first, first + 1, ... of a * b, each to a relative error of about 1e-11. @pre a, b >= 0
[[nodiscard]] std::vector<double> convolve_carefully(std::span<const double> a, std::span<const double> b,
                                                     std::int64_t first, std::size_t count);

}  // namespace postern::infer
