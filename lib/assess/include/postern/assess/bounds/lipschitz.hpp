#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "postern/model/policy.hpp"

namespace postern::assess {

// What a draw from a posterior costs, if every row of every table is kept in the box theta >= omega (Zhang et
// al. 2016, Lemma 2 and Theorem 4.1, corrected in bounds.md). Public: levels and omega, no counts.

/// Of each variable ln((1 - (r - 1) omega) / omega): the most that a family's log-likelihood changes with its
/// configuration. Fails with `usage`: a variable of fewer than two levels, omega outside (0, 1 / most
/// levels).
[[nodiscard]] std::vector<double> family_lipschitz(std::span<const std::uint32_t> levels, double omega);

/// Lemma 2 with a metric on *families*' configurations: the log-likelihood of a record changes by at most
/// `sum`; `uniform`, k times the largest constant, is what the printed form gives.
struct NetworkLipschitz {
  double sum = 0;
  double uniform = 0;
};
[[nodiscard]] NetworkLipschitz network_lipschitz(std::span<const double> families);

/// Theorem 4.1: what one draw costs. `constant` is NetworkLipschitz::sum. Exact on the box: some records and
/// data come as near to it as one likes. A posterior whose likelihood has the power `tempering` costs that
/// much less.
[[nodiscard]] double draw_epsilon(double constant, double tempering, model::Adjacency adjacency);

/// The tempering at which a draw costs epsilon; above 1 there is room to spare.
[[nodiscard]] double draw_tempering(double constant, double epsilon, model::Adjacency adjacency);

/// The omega at which an untempered draw costs epsilon.
[[nodiscard]] double draw_omega(std::span<const std::uint32_t> levels, double epsilon,
                                model::Adjacency adjacency);

}  // namespace postern::assess
