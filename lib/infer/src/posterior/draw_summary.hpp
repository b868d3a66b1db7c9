#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "postern/infer/posterior.hpp"

namespace postern::infer {

/// Independent draws need no diagnostics; those of Markov chains get ess (the smaller of bulk and tail) and
/// rhat.
enum class DrawKind { independent, markov };

/// The summary line of one quantity from its draws in all chains.
[[nodiscard]] SummaryRow summarise_draws(const Posterior& posterior, std::size_t quantity, DrawKind kind);

/// chains-disagree and few-effective-draws, for quantities whose rhat is above 1.01 or whose ess is below
/// 400.
[[nodiscard]] std::vector<Warning> convergence_warnings(const std::vector<SummaryRow>& rows);

}  // namespace postern::infer
