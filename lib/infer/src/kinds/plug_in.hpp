#pragma once

#include <vector>

#include "postern/core/warning.hpp"
#include "postern/infer/kinds/number/problem.hpp"
#include "postern/infer/kinds/table/problem.hpp"
#include "postern/infer/noise/noisy_value.hpp"

namespace postern::infer {

/// naive-ignores-noise
[[nodiscard]] Warning naive_warning();

/// Several noisy values of one count or sum: their average weighted by precision. @pre not empty
[[nodiscard]] double combine(const std::vector<NoisyValue>& noisy_values);

/// The plug-in baseline: takes each noisy count, clipped to what a count can be, for the truth, and updates
/// the prior with it. Its intervals ignore the noise and are too narrow; it exists to be compared with.
[[nodiscard]] std::vector<double> plug_in(std::vector<double> alpha, const CountProblem& problem);

/// The sums of a number's records, noise taken for truth: clipped to what n records can add up to.
[[nodiscard]] model::Sums plug_in(const NumberProblem& problem);

}  // namespace postern::infer
