#pragma once

#include "postern/core/rational.hpp"
#include "postern/model/measurement.hpp"

namespace postern::model {

/// R: the most that (change of one score) - (change of another) can be between neighbours that differ in one
/// record. The argument is in rank_scores.md.
[[nodiscard]] Rational score_range(const RankScores& scores, Adjacency adjacency);

}  // namespace postern::model
