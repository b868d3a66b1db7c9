#pragma once

#include "postern/infer/event.hpp"
#include "postern/infer/posterior.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// The probability of an event under the tables of a draw, by elimination in the part of the network that it
/// concerns. Throws engine_limit, naming the largest cliques, where that part is too large.
[[nodiscard]] EventMass network_event(const Event& event, const model::Study& study,
                                      const Posterior& posterior);

}  // namespace postern::infer
