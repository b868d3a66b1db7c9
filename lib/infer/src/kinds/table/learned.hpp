#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "postern/infer/counts/learned_table.hpp"
#include "postern/infer/infer.hpp"
#include "postern/infer/kinds/table/count_model.hpp"

#include "posterior/start.hpp"

namespace postern::infer {

/// Has a study's table the learned prior, and do the options leave it?
[[nodiscard]] bool learns(const model::Study& study, const InferOptions& options);

/// The levels of its columns; two for a proportion, whose cells are its level and all others.
[[nodiscard]] std::vector<std::uint32_t> table_sizes(const model::Study& study);

/// What one record set's releases say about a table whose prior is learned.
[[nodiscard]] LearnedTable make_learned_table(const model::Study& study, const CountProblem& problem,
                                              const InferOptions& options);

/// Throws engine_limit where so many draws would take minutes.
void check_learned_time(const LearnedTable& table, std::size_t draws);

/// Draws of the table, exact given n and centres.
[[nodiscard]] Posterior infer_learned(const release::RecordSet& set, const CountModel& model,
                                      const NamedProblem& group, const InferOptions& options,
                                      const Conversation& conversation);

}  // namespace postern::infer
