#pragma once

#include <memory>

#include "postern/infer/basis.hpp"
#include "postern/infer/number_predictor.hpp"
#include "postern/infer/predictor.hpp"

namespace postern::infer {

/// The probabilities of a target's two levels under each draw. A row that lacks a feature has none: anything
/// between 0 and 1. Throws bad_option for another column.
[[nodiscard]] std::unique_ptr<const Predictor> odds_predictor(const Basis& basis, std::size_t target);
/// A target's count; nothing where it is not one. Throws bad_option for another column.
[[nodiscard]] std::unique_ptr<const NumberPredictor> count_predictor(const Basis& basis, std::size_t target);

}  // namespace postern::infer
