#pragma once

#include "postern/infer/kind.hpp"

namespace postern::infer {

[[nodiscard]] const Kind& wide_components_kind();

}  // namespace postern::infer
