#pragma once

#include <optional>
#include <vector>

#include "postern/core/warning.hpp"
#include "postern/infer/kind.hpp"

namespace postern::infer {

/// datasets-disagree, where record sets of several datasets are unlikely to share one theta, as their pooled
/// posterior takes for granted. Every set is inferred from alone for it. By evidence where the engine knows
/// it exactly: all of it together is then e^6.9 times less probable than set by set, which comes up by chance
/// in at most 1 of 1000 pooled answers (Markov's inequality). Elsewhere by the difference of posterior means
/// in posterior deviations. @pre the posterior is the pooled one
[[nodiscard]] std::optional<Warning> disagreeing_datasets(const Kind& kind,
                                                          const std::vector<release::RecordSet>& sets,
                                                          const Posterior& pooled,
                                                          const InferOptions& options,
                                                          const Conversation& conversation);

}  // namespace postern::infer
