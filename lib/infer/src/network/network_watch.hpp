#pragma once

#include <span>
#include <vector>

#include "postern/infer/chains/latent_watch.hpp"
#include "postern/infer/network/problem.hpp"
#include "postern/model/study.hpp"
#include "postern/release/record_set.hpp"

#include "noise_check/noise_watch.hpp"

namespace postern::infer {

/// Looks at counts of a network's cells as the latent values of what was released: those of its columns'
/// families, one after the other, then of the problem's other tables, then of its coefficients. `parts`: the
/// problem of each record set; `problem`: that one, or all of them joined.
[[nodiscard]] LatentWatch watch_cells(const model::Study& study, const std::vector<release::RecordSet>& sets,
                                      std::span<const NetworkProblem> parts, const NetworkProblem& problem,
                                      NoiseWatch& watch);

}  // namespace postern::infer
