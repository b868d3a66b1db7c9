#pragma once

#include <cstddef>
#include <span>

namespace postern::assess {

/// Points of R^dimension, one after the other.
struct Points {
  std::span<const double> values;
  std::size_t dimension = 1;
};

/// The maximum mean discrepancy of two laws, estimated from a sample of each.
struct Mmd {
  double squared = 0;                     ///< unbiased, so below zero half the time or so when the laws agree
  [[nodiscard]] double distance() const;  ///< square root of the positive part
};

/// With the standard normal kernel k(x, y) = exp(-|x - y|^2 / 2), for samples p and q of m points each,
///
///   MMD^2 = 1/(m(m-1)) sum_{i != j} [k(p_i, p_j) + k(q_i, q_j) - k(p_i, q_j) - k(p_j, q_i)]
///
/// (Gretton et al. 2012, equation 4; the measure of utility of Bernstein & Sheldon 2018). The pairs (p_i,
/// q_i) are left out, so p and q may be dependent in pairs, and a sample is at distance 0 from itself,
/// exactly. The kernel has width 1 in the units of the points: the caller scales. Time m^2, memory m. The
/// same answer, bit for bit, for any number of threads, and with p and q exchanged. Fails: sizes that differ,
/// fewer than two points, a value that is not finite.
[[nodiscard]] Mmd mmd(const Points& p, const Points& q, int threads = 0);

}  // namespace postern::assess
