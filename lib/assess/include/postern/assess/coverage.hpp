#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace postern::assess {

/// How many truths lay inside their central intervals.
struct Coverage {
  double level = 0;  ///< the probability the intervals claim
  std::size_t inside = 0;
  std::size_t trials = 0;
  [[nodiscard]] double share() const;
  /// Of the share, were the claim true: sqrt(level (1 - level) / trials). Unlike the one at the share itself
  /// it does not vanish when every truth is inside.
  [[nodiscard]] double standard_error() const;
  /// Standard errors from the claim; below zero when the intervals are too narrow.
  [[nodiscard]] double deviation() const;
};

struct Interval {
  double lower = 0;
  double upper = 0;
};

/// From ranks of the truth in [0, 1]: inside is |u - 1/2| <= level / 2. Randomised ranks among L draws make
/// this exact for any L. Fails: level outside (0, 1), no rank, a rank outside [0, 1].
[[nodiscard]] Coverage rank_coverage(std::span<const double> ranks, double level);

/// From intervals with their ends, where an engine knows exact quantiles. Fails: level outside (0, 1), no
/// interval, numbers of intervals and truths that differ.
[[nodiscard]] Coverage interval_coverage(std::span<const Interval> intervals, std::span<const double> truths,
                                         double level);

inline constexpr std::array<double, 3> kCoverageLevels = {0.50, 0.90, 0.95};

/// What ranks say of a posterior; uniform ranks are those of a calibrated one (Talts et al. 2018).
struct RankSummary {
  std::size_t trials = 0;
  double ks = 0;                                          ///< distance from uniform, D
  std::array<Coverage, kCoverageLevels.size()> coverage;  ///< one for each of kCoverageLevels
  /// D sqrt(M): calibrated, of mean 0.8687 and sd 0.2603, above 1.358 (1.628) with probability 5 % (1 %).
  [[nodiscard]] double scaled_ks() const;
};

[[nodiscard]] RankSummary summarise_ranks(std::span<const double> ranks);

/// Ranks in twenty equal bins, and the probability that uniform ones differ from even bins at least so much.
struct RankHistogram {
  std::array<std::size_t, 20> bins{};
  double chi_square_tail = 1;
};
/// Fails: no rank, a rank outside [0, 1].
[[nodiscard]] RankHistogram rank_histogram(std::span<const double> ranks);

}  // namespace postern::assess
