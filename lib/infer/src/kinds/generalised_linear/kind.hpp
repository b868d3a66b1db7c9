#pragma once

#include "postern/infer/kind.hpp"

namespace postern::infer {

[[nodiscard]] const Kind& generalised_linear_kind();

}  // namespace postern::infer
