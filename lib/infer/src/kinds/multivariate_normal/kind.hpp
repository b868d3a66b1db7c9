#pragma once

#include "postern/infer/kind.hpp"

namespace postern::infer {

[[nodiscard]] const Kind& multivariate_normal_kind();

}  // namespace postern::infer
