#include "postern/graph/strided.hpp"

#include <algorithm>

namespace postern::graph {

Strided::Strided(std::span<const std::uint32_t> of, std::span<const std::uint32_t> in,
                 std::span<const std::uint32_t> sizes) {
  std::vector<Dimension> merged;  // the fastest first
  for (std::size_t i = of.size(); i-- > 0;) {
    const std::size_t size = sizes[of[i]];
    if (size == 1) continue;
    const auto found = std::ranges::find(in, of[i]);
    std::size_t step = found == in.end() ? 0 : 1;
    if (step == 1) {
      for (auto later = found + 1; later != in.end(); ++later) step *= sizes[*later];
    }
    if (!merged.empty() && step == merged.back().step * merged.back().size) {
      merged.back().size *= size;
    } else {
      merged.push_back({size, step});
    }
  }
  if (merged.empty()) return;
  inner_ = merged.front();
  outer_.assign(merged.begin() + 1, merged.end());
}

}  // namespace postern::graph
