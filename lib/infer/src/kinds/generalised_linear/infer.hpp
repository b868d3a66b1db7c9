#pragma once

#include <vector>

#include "postern/infer/glm/problem.hpp"
#include "postern/infer/infer.hpp"
#include "postern/model/study.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// Law and prior of a study's model, nothing seen. Throws bad_prior.
[[nodiscard]] GlmProblem start_glm(const model::Study& study, const InferOptions& options);
/// What the releases of one record set say. Throws release_inconsistent, releases_conflict.
[[nodiscard]] GlmProblem make_glm_problem(const release::RecordSet& releases, const InferOptions& options);

[[nodiscard]] Posterior infer_glm(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                  const Conversation& conversation);

}  // namespace postern::infer
