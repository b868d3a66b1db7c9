#pragma once

#include "postern/infer/kind.hpp"

namespace postern::infer {

[[nodiscard]] const Kind& table_kind();

}  // namespace postern::infer
