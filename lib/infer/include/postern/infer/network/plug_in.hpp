#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "postern/infer/chains/driver.hpp"
#include "postern/infer/network/problem.hpp"

namespace postern::infer {

/// The plug-in baseline of a network: takes each noisy count, clipped to what a count can be, for the truth.
/// Coefficients are turned into tables without negative cells first (fourier.hpp).
/// The Dirichlet weights of each CPT, prior and counts, per family as its alpha. Its intervals ignore
/// the noise and are too narrow; it exists to be compared with, and to begin chains.
[[nodiscard]] std::vector<std::vector<double>> plug_in(const NetworkProblem& problem);
/// n if known, else the average of what the families' noisy counts add up to, weighted by precision, within
/// its bounds. A family with a cell that has no noisy value says nothing.
[[nodiscard]] double plug_in_total(const NetworkProblem& problem);

/// Independent draws of what draw_network_tables reports, in the same order.
[[nodiscard]] ChainRun draw_network_plug_in(const NetworkProblem& problem, const DriverOptions& options,
                                            const Conversation& conversation);

}  // namespace postern::infer
