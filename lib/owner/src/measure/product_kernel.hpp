#pragma once

#include <cstddef>
#include <cstdint>

#include "postern/core/int128.hpp"
#include "postern/owner/coded_table.hpp"

namespace postern::owner {

/// A column whose level l stands for the integer l + first.
struct WholeNumbers {
  const CodedColumn& codes;
  std::int64_t first = 0;
};

/// Sum over the rows of the product of two columns, exactly. The same for any number of threads.
/// @pre |k| <= 2^20 in both
[[nodiscard]] Int128 sum_products(const WholeNumbers& a, const WholeNumbers& b, std::size_t rows,
                                  int threads);

}  // namespace postern::owner
