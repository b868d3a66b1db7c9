#pragma once

#include "problem.hpp"
#include "watch.hpp"

namespace postern::infer {

/// Fills a posterior that has the chain's names: draws of the first state's law and of the matrix, by the
/// engine of the options, with their summary. In the idle state's row, probabilities are given that it is
/// left. What is behind the releases is shown to the watch.
void draw_chain(Posterior& out, const ChainProblem& problem, std::optional<std::uint32_t> idle,
                ChainWatch& watch, const InferOptions& options, const Conversation& conversation);

}  // namespace postern::infer
