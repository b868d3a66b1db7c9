#include "cells.hpp"

namespace postern::infer {

std::vector<bool> cells_of(const Event& event, const model::Study& study) {
  const graph::Domain domain = study.schema.domain(model::columns_of(study.model));
  std::vector<bool> out(domain.cells(), true);
  for (std::size_t cell = 0; cell < out.size(); ++cell) {
    const std::vector<std::uint32_t> levels = domain.levels_of(cell);
    for (std::size_t c = 0; c < levels.size(); ++c) out[cell] = out[cell] && event.holds(c, levels[c]);
  }
  return out;
}

}  // namespace postern::infer
