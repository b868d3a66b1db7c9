#pragma once

#include "markov/law.hpp"

namespace postern::infer::markov {

/// The squared distance of `project`, by mirror descent: theta moves against the gradient in n, by a step
/// that doubles each time and is halved until half of the promised descent is there. Stopped early it
/// regularises, and that is how it is used. The certificate is a Frank-Wolfe gap.
[[nodiscard]] MarkovFit mirror_descent(const Measurements& data, const MarkovOptions& options,
                                       const Conversation& conversation);

}  // namespace postern::infer::markov
