#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace postern::graph {

/// Named discrete variables with their numbers of levels: the shape of a table. Row-major, last variable
/// fastest.
class Domain {
 public:
  Domain() = default;
  Domain(std::vector<std::string> names, std::vector<std::uint32_t> sizes);
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const std::vector<std::uint32_t>& sizes() const { return sizes_; }
  [[nodiscard]] std::size_t cells() const { return cells_; }
  /// Levels of the variables at a cell, the inverse of the row-major index.
  [[nodiscard]] std::vector<std::uint32_t> levels_of(std::size_t cell) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::uint32_t> sizes_;
  std::size_t cells_ = 1;
};

}  // namespace postern::graph
