#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "postern/core/rng.hpp"

namespace postern::cgm17 {

/// Days of people among the access points of a building, ten minutes a slot: simulated, as the paper's
/// records are not public. State 0 is absence. People come a heavy-tailed number of times, to places of their
/// own liking, and move mostly to what is near: a homogeneous chain is a good model of all that, not the
/// truth.
inline constexpr std::uint32_t kPlaces = 50;
inline constexpr std::uint32_t kStates = kPlaces + 1;
inline constexpr std::size_t kSlots = 144;
inline constexpr std::size_t kSegment = 6;  ///< slots of a sequence: transitions across segments do not count

using Day = std::vector<std::uint32_t>;  ///< the state in each slot
[[nodiscard]] Day simulate_day(Rng& rng);

/// What one person adds to the table of transitions (from x to): weights of at most 1 in all. Each counted
/// transition weighs 1/K, K the person's number of them, rounded down to a multiple of 2^-20; absence after
/// absence is not counted.
using Contribution = std::vector<std::pair<std::uint32_t, double>>;
[[nodiscard]] Contribution contribution(const Day& day);

}  // namespace postern::cgm17
