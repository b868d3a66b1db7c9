#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cell.hpp"

namespace postern::infer {

/// Where a cell has all but e^-nats of what matters of it.
using WindowOf = std::function<Window(const Cell&, double nats)>;

/// One window a cell, as narrow as their totals allow. Where no double is the right tilt (values that
/// contradict their total, almost without noise) the windows may miss it: they are widened until they do not.
[[nodiscard]] std::vector<Window> cell_windows(std::span<const Cell> cells, Window totals, double nats,
                                               const WindowOf& window_of);
/// Under one tilt.
[[nodiscard]] std::vector<Window> cell_windows(std::span<const Cell> cells, Window totals, double tilt,
                                               double nats);

}  // namespace postern::infer
