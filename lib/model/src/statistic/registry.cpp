#include <array>

#include "postern/model/statistic.hpp"
#include "postern/model/statistic/clique_scores.hpp"
#include "postern/model/statistic/fourier.hpp"
#include "postern/model/statistic/gradient_sum.hpp"
#include "postern/model/statistic/grid_split.hpp"
#include "postern/model/statistic/moments.hpp"
#include "postern/model/statistic/pair_scores.hpp"
#include "postern/model/statistic/rank_scores.hpp"
#include "postern/model/statistic/score_table.hpp"
#include "postern/model/statistic/sums.hpp"
#include "postern/model/statistic/table.hpp"
#include "postern/model/statistic/transitions.hpp"

// Nothing else may be defined here: a test links a registry of its own in place of this one.
namespace postern::model {

std::span<const StatisticKind* const> statistic_kinds() {
  static const std::array kKinds{
      &kind_of(Table{}),        &kind_of(LevelCount{}),          &kind_of(LevelSum{}),
      &kind_of(ProductSum{}),   &kind_of(RankScores{}),          &kind_of(RecordCount{}),
      &kind_of(GridSplit{}),    &kind_of(FourierCoefficients{}), &kind_of(ScoreTable{}),
      &kind_of(Moments{}),      &kind_of(GradientSum{}),         &kind_of(PairScores{}),
      &kind_of(CliqueScores{}), &kind_of(Transitions{}),         &kind_of(Starts{})};
  return kKinds;
}

}  // namespace postern::model
