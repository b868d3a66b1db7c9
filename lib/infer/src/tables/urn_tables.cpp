#include "tables/urn_tables.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"

namespace postern::infer {

namespace {

/// At how many of the places from..end - 1 something happens whose chance there is chance(place) <= most < 1:
/// places where `most` meets are jumped to, and each is kept by the ratio.
template <class Chance>
std::int64_t count_events(std::int64_t from, std::int64_t end, double most, const Chance& chance, Rng& rng) {
  const double log_none = std::log1p(-most);
  std::int64_t events = 0;
  for (auto at = static_cast<double>(from);; at += 1) {
    at += std::floor(-draw_exponential(rng) / log_none);
    if (!(at < static_cast<double>(end))) return events;
    if (rng.uniform() * most < chance(at)) ++events;
  }
}

}  // namespace

/// Guests are looked at in stretches from..2 from, in which chances change by no more than a factor of two.
/// Those who take a table are counted, or those who do not: whichever are fewer.
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
    const auto first = static_cast<double>(from);
    const auto last = static_cast<double>(end - 1);
    if (a <= first) {
      const auto takes = [a](double i) { return a / (a + i); };
      tables += count_events(from, end, takes(first), takes, rng);
    } else {
      const auto shares = [a](double i) { return i / (a + i); };
      tables += end - from - count_events(from, end, shares(last), shares, rng);
    }
    from = end;
  }
  return tables;
}

}  // namespace postern::infer
