#pragma once

#include <memory>

#include "postern/infer/basis.hpp"
#include "postern/infer/number_predictor.hpp"

namespace postern::infer {

/// Of the regression's target. Throws bad_option for another column.
[[nodiscard]] std::unique_ptr<const NumberPredictor> regression_predictor(const Basis& basis,
                                                                          std::size_t target);

}  // namespace postern::infer
