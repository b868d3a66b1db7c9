#pragma once

#include <span>

namespace postern::assess {

/// Kolmogorov-Smirnov distance of a sample from the uniform law on [0, 1]. The sample need not be sorted.
[[nodiscard]] double ks_uniform(std::span<const double> sample);

}  // namespace postern::assess
