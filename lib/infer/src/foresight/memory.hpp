#pragma once

#include <cstdint>
#include <optional>

#include "postern/infer/kind.hpp"

namespace postern::infer {

/// Throws engine_limit where the memory that a kind forecasts is more than `infer` takes unless told
/// otherwise.
void check_planned_bytes(const Kind& kind, const model::Study& study, const model::NoisePlan& plan,
                         std::optional<std::int64_t> n);

}  // namespace postern::infer
