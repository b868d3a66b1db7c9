#pragma once

#include "postern/infer/kind.hpp"

namespace postern::infer {

[[nodiscard]] const Kind& logistic_regression_kind();

}  // namespace postern::infer
