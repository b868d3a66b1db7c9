#pragma once

#include <string>
#include <vector>

#include "postern/core/error.hpp"
#include "postern/core/warning.hpp"
#include "postern/infer/infer.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

// What an analyst is told that does not depend on the engine.

/// What the releases say against their own studies.
[[nodiscard]] std::vector<Warning> contradictions_in(const std::vector<release::RecordSet>& sets);

/// An engine that gives up on releases which contradict their studies should not be the one to blame.
[[noreturn]] void explain(const Error& refusal, const Warning& warning);

/// The engines that take these releases, as the option: "--engine auto, augment or naive".
[[nodiscard]] std::string engines_that_fit(const std::vector<release::RecordSet>& sets);

/// An engine that does not suit names those that do.
[[noreturn]] void suggest(const Error& refusal, const std::vector<release::RecordSet>& sets);

/// About public rows, and about prior and noise in proportion to the data.
[[nodiscard]] std::vector<Warning> warnings_about(const std::vector<release::RecordSet>& sets,
                                                  const InferOptions& options);

}  // namespace postern::infer
