#pragma once

#include <vector>

#include "postern/infer/exact/count_posterior.hpp"

namespace postern::infer {

/// The plug-in baseline: takes each noisy count, clipped to what a count can be, for the truth, and updates
/// the prior with it. Its intervals ignore the noise and are too narrow; it exists to be compared with.
[[nodiscard]] std::vector<double> plug_in(std::vector<double> alpha, const CountProblem& problem);

}  // namespace postern::infer
