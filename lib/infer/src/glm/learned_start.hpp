#pragma once

#include "learned_target.hpp"
#include "moments/scatter_start.hpp"

namespace postern::infer {

/// Where chains begin: the features' moments near their mode given the scales, and the predictor that the
/// noisy sums with the target ask for. Says to the target how the predictor and the sums are known without
/// the chain.
[[nodiscard]] ScatterStart find_learned_glm_start(LearnedGlmTarget& target, const Conversation& conversation);

/// theta in the study's order, the intercept's first, as the workspace was filled.
void read_coefficients(const LearnedGlmTarget& target, const ScatterWorkspace& work, std::span<double> theta);

}  // namespace postern::infer
