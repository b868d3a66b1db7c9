#pragma once

#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/infer/network/problem.hpp"
#include "postern/model/study.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// Whether the tables engine accounts for a problem's coefficients and choices: they are few enough, and so
/// are the cells of its tables.
[[nodiscard]] bool tables_engine_takes(const NetworkProblem& problem, const InferOptions& options);

/// Says that the engine which accounts for coefficients and choices does not take them. Throws
/// engine_unsuitable.
[[noreturn]] void refuse_coefficients();

/// The posterior of all tables of a Bayesian network given releases of one dataset. `study` has that network
/// as its model (make_problem.hpp).
[[nodiscard]] Posterior infer_network(const model::Study& study, const std::vector<release::RecordSet>& sets,
                                      const InferOptions& options, const Conversation& conversation);

}  // namespace postern::infer
