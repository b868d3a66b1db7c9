#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "postern/graph/variables.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// Throws what `infer` would throw for the size of such a network, whatever its release holds: engine_limit
/// with the largest cliques by name, engine_unsuitable where its coefficients are too many.
/// `declared`: the study as it is released; `network`: the same with a Bayesian network as its model.
void check_network_plan(const model::Study& declared, const model::Study& network,
                        const model::NoisePlan& plan, std::optional<std::int64_t> n);

/// Throws engine_limit, with the largest by name, where tables over these cliques are more than the tables
/// engine holds.
void check_cliques(std::span<const graph::Variables> cliques, std::span<const std::uint32_t> levels,
                   std::span<const std::string> names);

}  // namespace postern::infer
