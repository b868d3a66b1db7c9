#pragma once

#include "postern/infer/kind.hpp"

namespace postern::infer {

[[nodiscard]] const Kind& bayes_net_kind();

}  // namespace postern::infer
