#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "postern/core/stop.hpp"
#include "postern/core/warning.hpp"
#include "postern/infer/posterior.hpp"
#include "postern/infer/rows.hpp"

namespace postern::infer {

struct PredictOptions {
  std::optional<std::string> target;  ///< a column of the model; else the one that the kind predicts
  std::size_t draws = 1000;           ///< at most so many, evenly spaced, make the intervals
  int threads = 0;
};

/// Predictions of a column of numbers, in its own units, one entry a row. No numbers where a field is missing
/// that the column depends on.
struct NumberPredictions {
  std::vector<double> mean;
  std::vector<double> low;          ///< the column's value in a new record is below with 5 %
  std::vector<double> high;         ///< and above with 5 %
  std::vector<double> truth;        ///< no number where it is not known
  std::optional<double> rmse;       ///< over the rows whose truth is known
  std::optional<double> coverage;   ///< share of these rows whose truth lies between low and high
  std::optional<double> log_score;  ///< mean of the log predictive density at the truth, nats
};

/// Predictions of one column, row by row: [row * levels + level].
struct Predictions {
  std::string target;
  std::vector<std::string> levels;  ///< their labels
  std::size_t rows = 0;
  std::vector<double> probability;
  std::vector<double> low;          ///< 5 % of the draws are below
  std::vector<double> high;         ///< 95 % are
  std::vector<std::int32_t> truth;  ///< level of the target in each row; -1 where it is not known
  bool exact = false;               ///< the probabilities are; intervals come from draws always
  std::string how;                  ///< how the probabilities were computed, in a few words
  std::size_t draws = 0;            ///< behind the intervals
  std::size_t judged = 0;           ///< rows whose truth is known
  std::optional<double> log_loss;   ///< mean of -log P(truth), nats, over these rows
  std::optional<double> accuracy;   ///< share of them whose most probable level is the truth
  std::vector<Warning> warnings;
  /// Of a column that is predicted as a number: then there are no levels, and nothing of them.
  std::optional<NumberPredictions> numbers;

  /// The most probable level of a row; of equals the first.
  [[nodiscard]] std::uint32_t best(std::size_t row) const;
};

/// What the posterior says of rows that nobody has seen. The posterior has what it was made from. Throws
/// bad_option for a target that is no column of the model, unsupported where the kind predicts nothing or the
/// posterior was saved without its releases, interrupted.
[[nodiscard]] Predictions predict(const Posterior& posterior, const Rows& rows, const PredictOptions& options,
                                  const Conversation& conversation);

/// The predictions as CSV: row (from 1), prediction, truth if any is known, and for each level its
/// probability, q05 and q95; of a number: row, prediction, truth if any is known, q05 and q95.
[[nodiscard]] std::string predictions_csv(const Predictions& predictions);

}  // namespace postern::infer
