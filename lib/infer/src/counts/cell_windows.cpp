#include "cell_windows.hpp"

#include <algorithm>

namespace postern::infer {
namespace {

/// Each count is the total less the others: exact, and all that bounds a cell nobody saw.
void tighten(std::vector<Window>& windows, Window totals) {
  for (int sweep = 0; sweep < 2; ++sweep) {
    std::int64_t lows = 0;
    std::int64_t highs = 0;
    for (const Window& w : windows) {
      lows += w.lo;
      highs += w.hi;
    }
    for (Window& w : windows) {
      const std::int64_t others_low = lows - w.lo;
      const std::int64_t others_high = highs - w.hi;
      const Window tight = intersect(w, {totals.lo - others_high, totals.hi - others_low});
      lows = others_low + tight.lo;
      highs = others_high + tight.hi;
      w = tight;
    }
  }
}

bool is_empty(const Window& w) { return w.empty(); }

}  // namespace

std::vector<Window> cell_windows(std::span<const Cell> cells, Window totals, double nats,
                                 const WindowOf& window_of) {
  std::vector<Window> windows;
  for (double wider = 1; windows.empty() || std::any_of(windows.begin(), windows.end(), is_empty);
       wider *= 8) {
    windows.clear();
    for (const Cell& cell : cells) windows.push_back(window_of(cell, wider * nats));
    if (wider > 1e6 || cells.size() == 1) windows.assign(cells.size(), {0, totals.hi});
    tighten(windows, totals);
  }
  return windows;
}

std::vector<Window> cell_windows(std::span<const Cell> cells, Window totals, double tilt, double nats) {
  return cell_windows(cells, totals, nats,
                      [tilt](const Cell& cell, double depth) { return cell.window(tilt, depth); });
}

}  // namespace postern::infer
