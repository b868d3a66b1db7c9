#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "postern/infer/regression/problem.hpp"

namespace postern::infer {

/// The whole numbers behind the first of these noisy moments, as they would be released without noise.
/// `at(i, j)`, i >= j: the moment matrix G.
template <class At>
void tell_moments(const std::vector<NoisyMoment>& moments, const At& at, std::span<double> latent) {
  for (std::size_t m = 0; m < latent.size(); ++m) {
    const NoisyMoment& one = moments[m];
    const double other =
        one.weight == 0 ? 0 : one.weight * at(std::max(one.k, one.l), std::min(one.k, one.l));
    latent[m] = (at(std::max(one.i, one.j), std::min(one.i, one.j)) + other) / one.unit;
  }
}

}  // namespace postern::infer
