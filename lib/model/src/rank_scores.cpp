#include "rank_scores.hpp"

#include <algorithm>

#include "postern/core/mutant.hpp"

namespace postern::model {

std::vector<std::int64_t> rank_scores(const RankScores& scores, std::span<const std::int64_t> counts) {
  const auto a = static_cast<Int128>(scores.at.get_num().get_si());
  const auto b = static_cast<Int128>(scores.at.get_den().get_si());
  Int128 n = 0;
  for (const std::int64_t count : counts) n += count;
  std::vector<std::int64_t> out;
  out.reserve(counts.size());
  Int128 below = 0;
  constexpr Int128 kFloor = -(Int128{1} << 62);
  for (const std::int64_t count : counts) {
    const Int128 short_of = a * n - b * (below + count);
    const Int128 past = b * below - a * n;
    out.push_back(static_cast<std::int64_t>(std::max(kFloor, -std::max({Int128{0}, short_of, past}))));
    below += count;
  }
  return out;
}

Rational score_range(const RankScores& scores, Adjacency adjacency) {
  const Integer a = scores.at.get_num();
  const Integer b = scores.at.get_den();
  const Integer rest = b - a;
  if (mutant(30)) return Rational(b);
  return adjacency == Adjacency::replace_one ? Rational(2 * b) : Rational(2 * std::max(a, rest));
}

}  // namespace postern::model
