#include "audit/rounds.hpp"

#include <algorithm>

#include "postern/release/rounds.hpp"

namespace postern::app {

void RoundsLoss::take(const RoundsLoss& other) {
  whole = std::max(whole, other.whole);
  if (cost == 0 || other.of_round * cost > of_round * other.cost) {
    of_round = other.of_round;
    cost = other.cost;
  }
}

RunStatistic look_at_rounds(const release::Release& release, const owner::Measured& here,
                            const owner::Measured& there, RoundsLoss& losses) {
  RunStatistic statistic;
  RoundsLoss found;
  LawLoss whole(release.cost.currency());
  const std::vector<model::PublishedRound> rounds = release::published_rounds(release);
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    model::Measurement measurement;
    for (const model::MeasuredBlock& one : rounds[r].blocks) measurement.blocks.push_back(one.block);
    const Direction direction = differences(here.again(measurement), there.again(measurement), measurement);
    statistic.ratio += look_at(rounds[r].blocks, direction).ratio;
    LawLoss loss(release.cost.currency());
    loss.add(direction);
    whole.add(loss);
    found.take({0, loss.largest(), release.rounds->made[r].cost.exact().get_d()});
  }
  found.whole = whole.largest();
  losses.take(found);
  return statistic;
}

}  // namespace postern::app
