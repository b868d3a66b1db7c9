#include "postern/assess/coverage.hpp"

#include <algorithm>
#include <cmath>

#include "postern/assess/distances.hpp"
#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

namespace postern::assess {
namespace {

void check(double level, std::size_t trials) {
  if (!(level > 0 && level < 1))
    throw Error(ErrorCode::usage, {"the level of an interval lies between 0 and 1"});
  if (trials == 0) throw Error(ErrorCode::usage, {"coverage needs at least one truth"});
}

void check_ranks(std::span<const double> ranks) {
  if (!std::all_of(ranks.begin(), ranks.end(), [](double u) { return u >= 0 && u <= 1; }))
    throw Error(ErrorCode::usage, {"a rank lies in [0, 1]"});
}

}  // namespace

double Coverage::share() const { return static_cast<double>(inside) / static_cast<double>(trials); }

double Coverage::standard_error() const {
  return std::sqrt(level * (1 - level) / static_cast<double>(trials));
}

double Coverage::deviation() const { return (share() - level) / standard_error(); }

Coverage rank_coverage(std::span<const double> ranks, double level) {
  check(level, ranks.size());
  check_ranks(ranks);
  const auto inside = [level](double u) { return std::abs(u - 0.5) <= level / 2; };
  return {level, static_cast<std::size_t>(std::count_if(ranks.begin(), ranks.end(), inside)), ranks.size()};
}

Coverage interval_coverage(std::span<const Interval> intervals, std::span<const double> truths,
                           double level) {
  check(level, truths.size());
  if (intervals.size() != truths.size())
    throw Error(ErrorCode::usage, {"coverage needs one interval for each truth"});
  Coverage out{level, 0, truths.size()};
  for (std::size_t i = 0; i < truths.size(); ++i)
    out.inside += intervals[i].lower <= truths[i] && truths[i] <= intervals[i].upper ? 1 : 0;
  return out;
}

double RankSummary::scaled_ks() const { return ks * std::sqrt(static_cast<double>(trials)); }

RankHistogram rank_histogram(std::span<const double> ranks) {
  if (ranks.empty()) throw Error(ErrorCode::usage, {"a histogram needs a rank"});
  check_ranks(ranks);
  RankHistogram out;
  const auto count = static_cast<double>(out.bins.size());
  for (const double u : ranks) ++out.bins[std::min(static_cast<std::size_t>(u * count), out.bins.size() - 1)];
  const double even = static_cast<double>(ranks.size()) / count;
  double statistic = 0;
  for (const std::size_t bin : out.bins) {
    const double excess = static_cast<double>(bin) - even;
    statistic += excess * excess / even;
  }
  out.chi_square_tail = chi_square_tail(statistic, count - 1);
  return out;
}

RankSummary summarise_ranks(std::span<const double> ranks) {
  RankSummary out;
  out.trials = ranks.size();
  out.ks = ks_uniform(ranks);
  for (std::size_t i = 0; i < out.coverage.size(); ++i)
    out.coverage[i] = rank_coverage(ranks, kCoverageLevels[i]);
  return out;
}

}  // namespace postern::assess
