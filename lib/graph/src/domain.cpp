#include "postern/graph/domain.hpp"

#include "postern/core/error.hpp"

namespace postern::graph {

Domain::Domain(std::vector<std::string> names, std::vector<std::uint32_t> sizes)
    : names_(std::move(names)), sizes_(std::move(sizes)) {
  if (names_.size() != sizes_.size())
    throw Error(ErrorCode::internal, {"a domain needs one size for each name"});
  for (const std::uint32_t size : sizes_) {
    if (size == 0 || __builtin_mul_overflow(cells_, static_cast<std::size_t>(size), &cells_)) {
      throw Error(ErrorCode::bad_value, {"a table has no cells, or more than can be counted"});
    }
  }
}

std::vector<std::uint32_t> Domain::levels_of(std::size_t cell) const {
  std::vector<std::uint32_t> levels(sizes_.size());
  for (std::size_t i = sizes_.size(); i-- > 0;) {
    levels[i] = static_cast<std::uint32_t>(cell % sizes_[i]);
    cell /= sizes_[i];
  }
  return levels;
}

}  // namespace postern::graph
