#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/release/release.hpp"

namespace postern::release {

/// Log probabilities of the candidates of a choice, scale score_i - log sum_j exp(scale score_j). Accuracy:
/// differences of scores are exact up to 2^53.
[[nodiscard]] std::vector<double> choice_log_probabilities(std::span<const Int128> scores, double scale);
/// One candidate, drawn by them.
[[nodiscard]] std::size_t simulate_choice(std::span<const Int128> scores, double scale, Rng& rng);

/// How likely a published choice is given the records: what a posterior needs to take it into account. The
/// recipe of the scores (the statistic), the scale and the chosen index are in the document; the scores are
/// not.
class ChoiceLikelihood {
 public:
  /// For an analyst who holds a latent table over these columns. Nothing if the scores are not a function of
  /// that table's counts: then the posterior must ignore the choice, and say so (ignored_choices).
  [[nodiscard]] static std::optional<ChoiceLikelihood> make(const MeasuredBlock& block,
                                                            const model::Schema& schema,
                                                            std::span<const std::string> held);

  [[nodiscard]] std::size_t chosen() const { return chosen_; }
  /// Scores of all candidates, from row-major counts of the table that is held.
  [[nodiscard]] std::vector<Int128> scores(std::span<const std::int64_t> counts) const;
  /// log P(the choice | counts).
  [[nodiscard]] double log_likelihood(std::span<const std::int64_t> counts) const;

 private:
  ChoiceLikelihood() = default;
  model::Statistic statistic_;
  model::Schema schema_;
  double scale_ = 0;
  std::size_t chosen_ = 0;
  std::vector<std::size_t> cell_of_;  ///< for each cell that is held, that of the statistic's own table
  std::size_t cells_ = 0;             ///< of that table
};

/// What a posterior leaves out that knows the records through tables over these columns alone: one sentence
/// for each choice that it cannot weigh, with names as the study has them.
[[nodiscard]] std::vector<std::string> ignored_choices(const Release& release,
                                                       std::span<const std::vector<std::string>> held);

}  // namespace postern::release
