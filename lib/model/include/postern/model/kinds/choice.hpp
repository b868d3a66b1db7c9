#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/model.hpp"
#include "postern/model/statistic/score_table.hpp"
#include "postern/model/study.hpp"

namespace postern::model {

/// A model of one column about which nothing is published but the candidate that suits the records best,
/// privately chosen: candidates are parameters of the model, scored by their likelihood, or anything that a
/// table of the study scores.
struct Choice {
  Model records;  ///< what the records are: bernoulli, categorical or normal-mean
  std::vector<std::vector<Rational>>
      points;                        ///< parameters, one row a candidate; none where scores are given
  Rational power = 1;                ///< of the likelihood that scores points
  std::vector<std::string> names;    ///< of candidates that `scores` scores
  std::vector<std::int64_t> scores;  ///< as ScoreTable has them
  std::int64_t draws = 1;            ///< candidates that are drawn, each for its part of the budget
};
[[nodiscard]] const Kind& kind_of(const Choice& model);

/// Likelihoods are scored in units of 2^-20, from -1 to 1 (centred over the candidates, then clamped).
inline constexpr unsigned kScoreBits = 20;
inline constexpr std::int64_t kMostDraws = 8;

/// The table by which records are scored. Refuses points that are no parameters of the model.
[[nodiscard]] ScoreTable score_table(const Choice& model, const Schema& schema);

/// The study, had its statistics been published instead.
[[nodiscard]] Study study_of_records(const Study& study);

}  // namespace postern::model
