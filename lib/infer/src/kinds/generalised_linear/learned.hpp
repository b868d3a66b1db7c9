#pragma once

#include <string>
#include <vector>

#include "postern/core/warning.hpp"
#include "postern/infer/glm/chain.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// Tells a problem what the learned prior takes: columns of two levels, whose squares are known, and how its
/// scales are centred.
void prepare_learned(GlmProblem& problem, const model::Study& study, double prior_scale);

/// effect-hidden: effects that would not be seen even if they alone explained 40 % of the target's variance,
/// where intervals exclude that they do.
/// @pre draws as draw_learned_glm reports them
[[nodiscard]] std::vector<Warning> hidden_effects(const ChainRun& run, const GlmProblem& problem,
                                                  const model::Study& study, std::size_t draws);

/// Names the features whose spread noise hides; empty if there are none.
[[nodiscard]] std::string hidden_spread_note(const MomentRun& run, const model::Study& study);

}  // namespace postern::infer
