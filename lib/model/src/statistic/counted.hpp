#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "postern/model/statistic.hpp"

namespace postern::model {

/// A statistic that is a function of how many records lie in each cell of its columns' table: that function
/// is its definition.
class CountedStatistic : public StatisticKind {
 public:
  [[nodiscard]] bool of_counts() const final { return true; }
  [[nodiscard]] std::unique_ptr<Tally> tally(const Statistic& statistic, const Schema& schema) const override;
};

}  // namespace postern::model
