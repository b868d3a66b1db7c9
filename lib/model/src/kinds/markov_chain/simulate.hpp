#pragma once

#include <memory>

#include "postern/model/kinds/markov_chain.hpp"
#include "postern/model/sequences.hpp"

namespace postern::model {

/// People with n records together, `made_up_records` each and the last one with what is left, who follow a
/// matrix from the prior or the one that is assumed. They leave the idle state at once: how long they stay is
/// no parameter.
[[nodiscard]] std::unique_ptr<const SimulatedPeople> simulate_chain(const Study& study, std::int64_t n,
                                                                    const Assumed& assumed, Rng& rng);

}  // namespace postern::model
