#pragma once

#include "postern/infer/number_problem.hpp"

namespace postern::infer {

/// Throws engine_limit where a released value is so far from all that records can add up to that no noise
/// goes there (e^-45): a normal approximation of sums says nothing about such a release.
void refuse_impossible(const NumberProblem& problem);

}  // namespace postern::infer
