#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace postern::model {

/// One person's state at each time that has one.
struct Moment {
  std::uint32_t time = 0;
  std::uint32_t state = 0;
};

/// From rows of (time, state) in the order of time: times whose records agree, once each.
[[nodiscard]] std::vector<Moment> agreed_states(std::span<const std::uint32_t> rows);

/// How often each cell (from x to, row-major by `states`) is passed within one step of time, by increasing
/// cell; to stay in `idle` does not count.
using CellCounts = std::vector<std::pair<std::size_t, std::int64_t>>;
[[nodiscard]] CellCounts count_transitions(std::span<const Moment> moments, std::uint32_t states,
                                           std::optional<std::uint32_t> idle);

/// What transitions that are counted so weigh, in units of 1/parts: together at most parts x at_most.
[[nodiscard]] CellCounts weigh_transitions(CellCounts counts, std::int64_t at_most, std::int64_t parts);

}  // namespace postern::model
