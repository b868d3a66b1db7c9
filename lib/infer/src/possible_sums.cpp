#include "possible_sums.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"

namespace postern::infer {
namespace {

constexpr double kNats = 45;

struct Range {
  double lo = 0;
  double hi = 0;

  [[nodiscard]] bool empty() const { return lo > hi; }
};

/// What may have been released as these sights.
Range seen(Range possible, const std::vector<Sight>& sights) {
  for (const Sight& sight : sights) {
    const double reach = release::radius(sight.law, kNats);
    possible = {std::max(possible.lo, sight.y - reach), std::min(possible.hi, sight.y + reach)};
  }
  return possible;
}

Range numbers(const NumberProblem& problem) {
  if (const auto* known = std::get_if<KnownTotal>(&problem.total))
    return {static_cast<double>(known->n), static_cast<double>(known->n)};
  return seen({0, static_cast<double>(std::get<LatentTotal>(problem.total).at_most)}, problem.counts);
}

/// What so many records can add up to, each from lo to hi.
Range sums(const Range& records, double lo, double hi) {
  return {std::min(records.lo * lo, records.hi * lo), std::max(records.lo * hi, records.hi * hi)};
}

}  // namespace

void refuse_impossible(const NumberProblem& problem) {
  const auto lowest = static_cast<double>(problem.number.values.adds.front());
  const auto highest = static_cast<double>(problem.number.values.adds.back());
  const Range records = numbers(problem);
  bool possible = !records.empty() && !seen(sums(records, lowest, highest), problem.sums).empty();
  if (problem.squares) {
    const double least = lowest > 0 ? lowest : highest < 0 ? highest : 0;
    const double most = std::max(lowest * lowest, highest * highest);
    possible = possible && !seen(sums(records, least * least, most), problem.square_sums).empty();
  }
  if (possible) return;
  throw Error(
      ErrorCode::engine_limit,
      {"a released value is further from all that records can add up to than its noise ever goes; the "
       "gibbs engine takes sums to be normal and cannot say anything there: look at the release, or "
       "take --engine ",
       problem.squares ? Piece("augment") : Piece("exact")});
}

}  // namespace postern::infer
