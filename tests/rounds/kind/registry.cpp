// The library's registries with the kinds of these tests beside them. A program that links this has no need
// of the library's own (registry.cpp, statistic.cpp), which are then left out of it.

#include <vector>

#include "postern/model/kinds/multivariate_normal.hpp"
#include "postern/model/kinds/number.hpp"
#include "postern/model/kinds/quantiles.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/model/statistic/rank_scores.hpp"
#include "postern/model/statistic/sums.hpp"
#include "postern/model/statistic/table.hpp"

#include "chooser.hpp"

namespace postern::model {

std::span<const Kind* const> kinds() {
  static const std::vector<const Kind*> kKinds{&kind_of(Categorical{}), &kind_of(Chooser{}),
                                               &kind_of(MultivariateNormal{}), &kind_of(Number{}),
                                               &kind_of(Quantiles{})};
  return kKinds;
}

std::span<const StatisticKind* const> statistic_kinds() {
  static const std::vector<const StatisticKind*> kKinds{
      &kind_of(Table{}),      &kind_of(LevelCount{}),  &kind_of(LevelSum{}),      &kind_of(ProductSum{}),
      &kind_of(RankScores{}), &kind_of(RecordCount{}), &kind_of(DistanceScores{})};
  return kKinds;
}

}  // namespace postern::model
