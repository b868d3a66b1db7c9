#pragma once

#include "markov/law.hpp"

namespace postern::infer::markov {

/// EM whose E step is non-linear belief propagation as published: theta' = theta + d log p(y | n) / dn, and n
/// moves towards n mu(theta') by a = 2 / (i + 2). With Laplace noise the derivative jumps and n never
/// settles: a baseline, not a method. The M step fits theta to n.
[[nodiscard]] MarkovFit nlbp(const Measurements& data, const MarkovOptions& options,
                             const Conversation& conversation);

}  // namespace postern::infer::markov
