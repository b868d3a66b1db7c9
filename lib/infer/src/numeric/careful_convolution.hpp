#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace postern::infer {

/// Bound on the absolute error of any value of a convolution by one transform.
[[nodiscard]] double transform_error(std::span<const double> a, std::span<const double> b);

/// Values first .. first + count - 1 of a * b, summed one by one: all terms are positive, so each keeps its
/// relative accuracy. Values outside the convolution are 0.
[[nodiscard]] std::vector<double> convolve_directly(std::span<const double> a, std::span<const double> b,
                                                    std::int64_t first, std::size_t count);

/// The same by transforms, each value to a relative error of about 1e-12. @pre a, b >= 0
[[nodiscard]] std::vector<double> convolve_carefully(std::span<const double> a, std::span<const double> b,
                                                     std::int64_t first, std::size_t count);

}  // namespace postern::infer
