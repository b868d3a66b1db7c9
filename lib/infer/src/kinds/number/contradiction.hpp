#pragma once

#include "postern/infer/kinds/number/problem.hpp"

namespace postern::infer {

// Releases that a normal approximation of sums cannot weigh.

/// Throws engine_limit where a released value is so far from all that records can add up to that no noise
/// goes there (e^-45).
void refuse_impossible(const NumberProblem& problem);

/// By how many standard deviations the released sums are away from what n records with this theta are
/// expected to add up to, at most: of sampling and noise together.
[[nodiscard]] double deviations(const NumberProblem& problem, const model::Theta& theta, double n);

/// Throws engine_limit for so many of them.
void refuse_unlikely(double deviations);

}  // namespace postern::infer
