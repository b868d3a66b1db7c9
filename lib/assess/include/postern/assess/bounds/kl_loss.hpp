#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace postern::assess {

// How far the posterior from noisy clipped counts is from the one that saw the counts, in nats: the sum over
// rows of KL(Dir(alpha + counts) || Dir(alpha + clipped)). Zhang et al. 2016, Theorem 1, corrected
// (bounds.md).
//
// Privacy: these depend on counts record by record. They are for counts that somebody supposes, drawn from a
// prior or made up for an experiment. The owner's side never calls them.

struct HypotheticalRow {
  std::vector<double> alpha;
  std::vector<std::int64_t> counts;
};

/// Discrete Laplace noise on every cell, then clipping to 0..records.
struct ClippedNoise {
  double rate = 0;  ///< epsilon / sensitivity
  std::int64_t records = 0;
};

struct KlMoments {
  double mean = 0;
  double variance = 0;
};
/// Exact for any number of cells r, in time of order r^3 min(records, 60 / rate).
[[nodiscard]] KlMoments hypothetical_kl_moments(const HypotheticalRow& row, const ClippedNoise& noise);

/// The largest loss of a row over all clipped counts; reached at a corner of the box, as the loss is convex.
[[nodiscard]] double hypothetical_kl_range(const HypotheticalRow& row, std::int64_t records);

/// The largest loss of a row if no cell is off by more than `error` (an integer). Beyond 16 cells a bound
/// that leaves out what the row's sum takes away.
[[nodiscard]] double hypothetical_kl_corner(const HypotheticalRow& row, std::int64_t records, double error);

/// Numbers that the loss stays below with probability 1 - delta.
struct KlBounds {
  KlMoments moments;     ///< of the whole loss
  double cantelli = 0;   ///< from mean and variance
  double mcdiarmid = 0;  ///< from the mean and the ranges of the rows
  double corner = 0;     ///< from discrete_noise_bound
  [[nodiscard]] double least() const;
};
[[nodiscard]] KlBounds hypothetical_kl_bounds(std::span<const HypotheticalRow> rows,
                                              const ClippedNoise& noise, double delta);

// All fail with `usage`: no row, a row with fewer than two cells or with as many alphas as it has not counts,
// a parameter outside its domain, a count outside 0..records.

}  // namespace postern::assess
