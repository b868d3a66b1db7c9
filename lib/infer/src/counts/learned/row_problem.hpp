#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "seen_count.hpp"

namespace postern::infer {

/// One tree of a row at one concentration: right for sums near its target.
struct PanelPlan {
  double target = 1;
  double tilt = 0;
};
/// How a row is built: any choice that covers the sums is right.
struct LearnedRowPlan {
  double target = 1;                           ///< about where its sum is
  double variance = 1;                         ///< of that, as far as draws tell
  Window range;                                ///< the sums that matter
  std::vector<std::vector<PanelPlan>> panels;  ///< by concentration; empty: to be found
  std::vector<bool> skipped;                   ///< concentrations that the release rules out; empty: none
};

/// A row of a table before anything is known of it but its children.
struct RowProblem {
  std::vector<const SeenCount*> children;
  std::span<const double> centre;  ///< sums to 1
  std::span<const double> known;   ///< exact counts beside the latent ones; empty: none
  std::span<const double> grid;    ///< concentrations
  Window sums;                     ///< that are kept
  std::int64_t most = 0;           ///< sum that is possible
  bool top = false;                ///< sums are given, and none is dropped for being unlikely beside others
  double least = 1e-10;            ///< share of a sum's weight up to which parts of it may be left out
};

/// A child whose window cut something off that carries weight, at the lower end or at the upper one.
struct CrampedChild {
  std::size_t child = 0;
  double low = 0;  ///< weight there, relative to the child's largest
  double high = 0;
  double tolerance = 0;
};

}  // namespace postern::infer
