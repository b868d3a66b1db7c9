// Registries of what the programs that link this need: the kinds of these tests, and the library's tables.
// The library's own (both a registry.cpp) are then left out of those programs.

#include <array>

#include "postern/model/kinds/table.hpp"
#include "postern/model/statistic/table.hpp"

#include "chooser.hpp"

namespace postern::model {

std::span<const Kind* const> kinds() {
  static const std::array kKinds{&kind_of(Categorical{}), &kind_of(Chooser{})};
  return kKinds;
}

std::span<const StatisticKind* const> statistic_kinds() {
  static const std::array kKinds{&kind_of(Table{}), &kind_of(LevelCount{}), &kind_of(RecordCount{}),
                                 &kind_of(DistanceScores{})};
  return kKinds;
}

}  // namespace postern::model
