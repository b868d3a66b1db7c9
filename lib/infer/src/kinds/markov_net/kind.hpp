#pragma once

#include "postern/infer/kind.hpp"

namespace postern::infer {

[[nodiscard]] const Kind& markov_net_kind();

}  // namespace postern::infer
