#include "product_kernel.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "postern/core/parallel.hpp"

namespace postern::owner {
namespace {

// So many products of 2^40 stay below 2^60.
constexpr std::size_t kProductBlock = std::size_t{1} << 20;
constexpr std::size_t kProductRowsPerThread = std::size_t{1} << 16;

template <class A, class B>
Int128 sum_range(const A* a, std::int64_t first_a, const B* b, std::int64_t first_b, std::size_t rows) {
  Int128 total = 0;
  for (std::size_t at = 0; at < rows; at += kProductBlock) {
    const std::size_t end = std::min(rows, at + kProductBlock);
    std::int64_t sum = 0;
    for (std::size_t i = at; i < end; ++i)
      sum += (std::int64_t{a[i]} + first_a) * (std::int64_t{b[i]} + first_b);
    total += sum;
  }
  return total;
}

}  // namespace

Int128 sum_products(const WholeNumbers& a, const WholeNumbers& b, std::size_t rows, int threads) {
  const auto wanted = static_cast<std::size_t>(threads > 0 ? threads : default_threads());
  const std::size_t parts = std::max<std::size_t>(1, std::min(wanted, rows / kProductRowsPerThread));
  std::vector<Int128> partial(parts);
  std::visit(
      [&](const auto& left, const auto& right) {
        parallel_for(parts, threads, [&](std::size_t p) {
          const std::size_t begin = rows * p / parts;
          const std::size_t end = rows * (p + 1) / parts;
          partial[p] = sum_range(left.data() + begin, a.first, right.data() + begin, b.first, end - begin);
        });
      },
      a.codes, b.codes);
  return std::accumulate(partial.begin(), partial.end(), Int128{0});
}

}  // namespace postern::owner
