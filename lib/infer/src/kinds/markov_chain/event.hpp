#pragma once

#include <optional>
#include <string>
#include <vector>

#include "postern/infer/event.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

// Questions about a chain. With the state in the column "place", a person's first state is "place" or "first
// place", the one after it "next place" or "place after 1", and so on; given "place = hall" it does not
// matter that it was the first one. "long-run place" is the state at a time so late that nothing of the first
// states is left.

[[nodiscard]] std::optional<EventPlace> chain_place(const std::string& name, const model::Study& study);
[[nodiscard]] std::vector<std::string> chain_names(const model::Study& study);

/// The probability of a set of paths, up to rounding of 1e-200.
[[nodiscard]] EventMass chain_mass(const Event& event, const model::Study& study);
/// The expected number of steps to a set of states, 0 from within it. Throws bad_option where `event` or
/// `given` are about more than the state itself.
[[nodiscard]] EventMass chain_steps(const Event& event, const Event& given, const model::Study& study);

}  // namespace postern::infer
