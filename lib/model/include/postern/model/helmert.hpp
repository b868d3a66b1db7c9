#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace postern::model {

/// Integer Helmert contrasts of a variable with r levels: w^0 = 1 everywhere, and w^c, c = 1..r-1, holds
/// level c against the c levels before it: 1 below c, -c at c, 0 above. Two levels: (1, -1). The sum of w^c
/// w^d over the levels is 0 for c != d, and contrast_norm for c = d.
[[nodiscard]] constexpr std::int64_t contrast(std::uint32_t c, std::uint32_t level) {
  if (c == 0 || level < c) return 1;
  return level == c ? -static_cast<std::int64_t>(c) : 0;
}
/// r for c = 0, else c (c + 1).
[[nodiscard]] constexpr std::int64_t contrast_norm(std::uint32_t c, std::uint32_t levels) {
  return c == 0 ? levels : static_cast<std::int64_t>(c) * (c + 1);
}

/// A table (row-major) becomes its coefficients: cell c of the result is the sum over the cells x of
/// prod_i w^{c_i}(x_i) table(x). O(cells) an axis, integers stay integers.
template <class Number>
void helmert_transform(std::span<Number> table, std::span<const std::uint32_t> sizes) {
  std::vector<Number> line;
  std::size_t inner = 1;  // cells between neighbours along the axis
  for (std::size_t axis = sizes.size(); axis-- > 0;) {
    const std::size_t levels = sizes[axis];
    for (std::size_t start = 0; start < table.size(); start += levels * inner) {
      for (std::size_t at = start; at < start + inner; ++at) {
        Number before = table[at];  // sum of the levels below c
        for (std::size_t c = 1; c < levels; ++c) {
          Number& cell = table[at + c * inner];
          const Number here = cell;
          cell = before - here * static_cast<int>(c);
          before += here;
        }
        table[at] = before;
      }
    }
    inner *= levels;
  }
}

}  // namespace postern::model
