#pragma once

#include "postern/infer/kind.hpp"

namespace postern::infer {

[[nodiscard]] const Kind& markov_chain_kind();

}  // namespace postern::infer
