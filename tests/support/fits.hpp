#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "postern/core/special.hpp"

namespace postern::fits {

/// Every statistical test here refuses at this level. The seeds are fixed and were not chosen.
inline constexpr double kAlpha = 1e-6;

/// The p-value of Kolmogorov and Smirnov's test that values F(x_i) are uniform.
inline double uniform_p_value(std::vector<double> u) {
  std::sort(u.begin(), u.end());
  const auto n = static_cast<double>(u.size());
  double distance = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const auto rank = static_cast<double>(i);
    distance = std::max({distance, u[i] - rank / n, (rank + 1) / n - u[i]});
  }
  return kolmogorov_tail(distance, n);
}

/// The p-value of the chi-square test of counts against cell probabilities that sum to 1. Neighbouring cells
/// are joined until each expects at least 20, so that the limit law is good to the level above.
inline double cells_p_value(std::span<const double> probability, std::span<const double> count) {
  double n = 0;
  for (const double c : count) n += c;
  std::vector<double> expected, seen;
  double e = 0, s = 0;
  for (std::size_t k = 0; k < probability.size(); ++k) {
    e += n * probability[k];
    s += count[k];
    if (e < 20) continue;
    expected.push_back(e);
    seen.push_back(s);
    e = s = 0;
  }
  expected.back() += e;
  seen.back() += s;
  double statistic = 0;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    statistic += (seen[k] - expected[k]) * (seen[k] - expected[k]) / expected[k];
  }
  return chi_square_tail(statistic, static_cast<double>(expected.size()) - 1);
}

/// Counts draws in the cells (-inf, edge_0), [edge_0, edge_1), ..., and tests them against the cdf at the
/// edges.
inline double edges_p_value(std::span<const double> edges, std::span<const double> cdf_at_edges,
                            std::span<const double> draws) {
  std::vector<double> count(edges.size() + 1), probability(edges.size() + 1);
  for (const double x : draws) {
    ++count[static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), x) - edges.begin())];
  }
  double before = 0;
  for (std::size_t k = 0; k <= edges.size(); ++k) {
    const double here = k < edges.size() ? cdf_at_edges[k] : 1;
    probability[k] = here - before;
    before = here;
  }
  return cells_p_value(probability, count);
}

}  // namespace postern::fits
