#pragma once

#include <memory>

#include "postern/infer/predictor.hpp"

namespace postern::infer {

/// The target's probabilities by the coefficients of each draw. Features of a row that are not known are
/// averaged over the law that the study assumes of them. Throws unsupported for any other column.
[[nodiscard]] std::unique_ptr<const Predictor> logistic_predictor(const Basis& basis, std::size_t target);

}  // namespace postern::infer
