#pragma once

#include "postern/core/stop.hpp"
#include "postern/infer/number_predictor.hpp"
#include "postern/infer/predict.hpp"

namespace postern::infer {

/// Fills the numbers of predictions whose rows are counted, row by row, and judges them.
void predict_numbers(Predictions& out, const NumberPredictor& predictor, const Rows& rows, std::size_t target,
                     int threads, const Conversation& conversation);

}  // namespace postern::infer
