#include "tables/urn_tables.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"

namespace postern::infer {

/// Guests are looked at in stretches from..2 from, in which the chance of a table falls to no less than a
/// half of what it is for the first: places where that chance meets are jumped to, and each is kept by the
/// ratio.
std::int64_t draw_urn_tables(double a, std::int64_t count, Rng& rng) {
  if (count == 0) return 0;
  std::int64_t tables = 1;
  constexpr std::int64_t kOneByOne = 8;
  const std::int64_t few = std::min(count, kOneByOne);
  for (std::int64_t i = 1; i < few; ++i) {
    if (rng.uniform() * (a + static_cast<double>(i)) < a) ++tables;
  }
  for (std::int64_t from = few; from < count;) {
    const std::int64_t end = std::min(count, 2 * from);
    const double most = a / (a + static_cast<double>(from));
    const double log_none = std::log1p(-most);
    for (double at = static_cast<double>(from);; at += 1) {
      at += most < 1 ? std::floor(-draw_exponential(rng) / log_none) : 0;
      if (!(at < static_cast<double>(end))) break;
      if (rng.uniform() * most * (a + at) < a) ++tables;
    }
    from = end;
  }
  return tables;
}

}  // namespace postern::infer
