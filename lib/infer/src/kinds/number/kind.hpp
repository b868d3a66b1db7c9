#pragma once

#include "postern/infer/kind.hpp"

namespace postern::infer {

[[nodiscard]] const Kind& number_kind();

}  // namespace postern::infer
