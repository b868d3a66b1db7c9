#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "postern/graph/elimination.hpp"
#include "postern/infer/chains/driver.hpp"
#include "postern/infer/network/problem.hpp"

namespace postern::infer {

/// What the chains of a network report: the CPT of each variable in turn, its cells in the order of the
/// problem's family, and last n if it is latent, or those of the sets that are.
[[nodiscard]] std::size_t network_quantities(const NetworkProblem& problem);

inline constexpr double kNetworkTablesBytes = 2e9;  ///< what the tables engine may hold

/// What the tables engine would hold for a problem, with its largest cliques: of variables that have
/// children, by their number in the problem.
[[nodiscard]] graph::Forecast forecast_network_tables(const NetworkProblem& problem, std::size_t chains);

/// Fails: engine_limit if it would hold more than kNetworkTablesBytes, with the largest cliques; bad_value.
void check_network_tables(const NetworkProblem& problem, std::size_t chains,
                          std::span<const std::string> names);

/// Whether chains take n from the released totals alone: where the prior's scale is learned, n is private and
/// whole tables tell it.
[[nodiscard]] bool cuts_total(const NetworkProblem& problem);

/// Draws from p(CPTs, n | y) by a Markov chain on the integer tables of a junction tree, for any discrete
/// Bayesian network: no approximation, all tables are margins of one latent data set. CPTs are integrated out
/// while the chain moves, and so are the counts of variables without children. tables_chain.md, beside the
/// source, has the target and the moves. `names` of the variables are for refusals. Fails: engine_limit if it
/// would hold more than kNetworkTablesBytes; bad_value; interrupted.
[[nodiscard]] ChainRun draw_network_tables(const NetworkProblem& problem, const DriverOptions& options,
                                           const Conversation& conversation,
                                           std::span<const std::string> names = {});

}  // namespace postern::infer
