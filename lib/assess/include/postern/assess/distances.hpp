#pragma once

#include <functional>
#include <span>

namespace postern::assess {

// Kolmogorov-Smirnov distances: the largest difference of two distribution functions, in [0, 1]. Samples need
// not be sorted; ties are allowed. An empty sample or one with a NaN is refused.

/// Of a sample from the uniform law on [0, 1].
[[nodiscard]] double ks_uniform(std::span<const double> sample);
/// Of a sample from the law with this continuous distribution function.
[[nodiscard]] double ks_from_law(std::span<const double> sample, const std::function<double(double)>& cdf);
/// Of two samples, of any two sizes. Under one continuous law D sqrt(a b / (a + b)) has Kolmogorov's law in
/// the limit.
[[nodiscard]] double ks_between(std::span<const double> a, std::span<const double> b);

}  // namespace postern::assess
