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

/// What the prior alone rules out, as the draws have it. effect-hidden: noise would hide an effect that alone
/// explained 40 % of the target's variance, and the slope's interval excludes even 16 %. residual-hidden: the
/// noise on the target's square is twice what sigma's interval leaves of it at least, and the draws say that
/// features leave open less than .15 of the target's variance perhaps, and less than 5/6 surely. An interval
/// that is as wide as what noise hides needs no warning. @pre draws as draw_learned_regression reports them
[[nodiscard]] std::vector<Warning> hidden_warnings(const ChainRun& run, const ScatterProblem& problem,
                                                   const model::Study& study, std::size_t draws);

/// Names the features whose spread noise hides; empty if there are none.
[[nodiscard]] std::string hidden_features_note(const MomentRun& run, const model::Study& study);

}  // namespace postern::infer
