#pragma once

#include <string>
#include <vector>

#include "postern/core/warning.hpp"
#include "postern/infer/moments/chain.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// What releases say, under the prior whose scales are learned. A number of two levels is told to be one: its
/// square is known, as an indicator's is.
[[nodiscard]] ScatterProblem learned_problem(const RegressionProblem& problem, const model::Study& study,
                                             double prior_scale);

/// What noise hides, as the draws have it: effects that would not be seen even if they alone explained 40 %
/// of the target's variance (effect-hidden), and a residual that is small beside the noise on the target's
/// square (residual-hidden). @pre draws as draw_learned_regression reports them
[[nodiscard]] std::vector<Warning> hidden_warnings(const ChainRun& run, const ScatterProblem& problem,
                                                   const model::Study& study, std::size_t draws);

/// Names the features whose spread noise hides; empty if there are none.
[[nodiscard]] std::string hidden_features_note(const MomentRun& run, const model::Study& study);

}  // namespace postern::infer
