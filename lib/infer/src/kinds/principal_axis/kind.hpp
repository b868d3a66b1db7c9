#pragma once

#include "postern/infer/kind.hpp"

namespace postern::infer {

[[nodiscard]] const Kind& principal_axis_kind();

}  // namespace postern::infer
