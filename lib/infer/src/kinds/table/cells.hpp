#pragma once

#include <vector>

#include "postern/infer/event.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// Which cells of the model's table an event holds, row-major.
[[nodiscard]] std::vector<bool> cells_of(const Event& event, const model::Study& study);

}  // namespace postern::infer
