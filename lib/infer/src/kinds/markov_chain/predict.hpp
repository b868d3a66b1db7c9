#pragma once

#include <memory>

#include "postern/infer/predictor.hpp"

namespace postern::infer {

/// The state of each row, given the same person's state at the time before, or at the last time before that
/// which is known: a matrix's power. Of a person's first row, the law of first states. Where the state before
/// is the idle one, given that it is left, so that rows which stay in it are not judged.
[[nodiscard]] std::unique_ptr<const Predictor> predict_next(const Basis& basis);

}  // namespace postern::infer
