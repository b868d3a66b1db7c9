#include <cmath>

#include "postern/infer/predict.hpp"

#include "posterior/csv_text.hpp"

namespace postern::infer {

namespace {

std::string field(double value) { return std::isnan(value) ? "" : csv_number(value); }

std::string numbers_csv(const Predictions& predictions) {
  const NumberPredictions& numbers = *predictions.numbers;
  const bool judged = predictions.judged > 0;
  std::string out = judged ? "row,prediction,truth,q05,q95\n" : "row,prediction,q05,q95\n";
  for (std::size_t i = 0; i < predictions.rows; ++i) {
    out += std::to_string(i + 1) + ',' + field(numbers.mean[i]);
    if (judged) out += ',' + field(numbers.truth[i]);
    out += ',' + field(numbers.low[i]) + ',' + field(numbers.high[i]) + '\n';
  }
  return out;
}

}  // namespace

std::string predictions_csv(const Predictions& predictions) {
  if (predictions.numbers) return numbers_csv(predictions);
  const std::size_t levels = predictions.levels.size();
  std::string out = predictions.judged > 0 ? "row,prediction,truth" : "row,prediction";
  for (const std::string& level : predictions.levels) {
    for (const char* what : {"P", "q05", "q95"}) out += ',' + csv_field(what + ("(" + level + ")"));
  }
  out += '\n';
  for (std::size_t i = 0; i < predictions.rows; ++i) {
    out += std::to_string(i + 1) + ',' + csv_field(predictions.levels[predictions.best(i)]);
    if (predictions.judged > 0) {
      const std::int32_t truth = predictions.truth[i];
      out += ',' + (truth < 0 ? "" : csv_field(predictions.levels[static_cast<std::size_t>(truth)]));
    }
    for (std::size_t at = i * levels; at < (i + 1) * levels; ++at) {
      for (const auto* of : {&predictions.probability, &predictions.low, &predictions.high})
        out += ',' + csv_number((*of)[at]);
    }
    out += '\n';
  }
  return out;
}

}  // namespace postern::infer
