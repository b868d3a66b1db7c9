#pragma once

#include <string>
#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/infer/kinds/number/augment/records.hpp"
#include "postern/infer/kinds/table/count_model.hpp"

#include "named_total.hpp"

namespace postern::infer {

/// A posterior without draws: names, labels and sizes of the parameters, then of every n that is latent.
/// Throws engine_limit when the draws asked for are more than options.memory_limit holds.
[[nodiscard]] Posterior start_posterior(std::vector<std::string> names, std::vector<std::string> labels,
                                        const std::vector<NamedTotal>& totals, const InferOptions& options);

/// The same of a study's parameters.
[[nodiscard]] Posterior start_posterior(const model::Study& study, const std::vector<NamedTotal>& totals,
                                        const InferOptions& options);

/// One dataset's record set as the engines see it.
struct NamedProblem {
  std::string dataset;
  CountProblem problem;
};

/// A posterior of the model's quantities and of every dataset's latent n, without draws.
[[nodiscard]] Posterior start_counts(const CountModel& model, const std::vector<NamedProblem>& groups,
                                     const InferOptions& options);

/// Throws engine_limit where chains may keep more latent records than options.memory_limit holds.
void refuse_too_large(const RecordsForecast& forecast, const InferOptions& options);

}  // namespace postern::infer
