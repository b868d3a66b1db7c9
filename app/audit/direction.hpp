#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/int128.hpp"
#include "postern/core/units.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/rounds.hpp"
#include "postern/release/noise_law.hpp"

namespace postern::app {

/// The exact integers of every block of a measurement, for one set of records.
using ExactBlocks = std::vector<std::vector<Int128>>;

/// One coordinate that differs between two neighbours.
struct Difference {
  std::size_t block = 0;
  std::size_t coordinate = 0;
  std::int64_t change = 0;
  double on_neighbour = 0;
  release::NoiseLaw law;
};

/// A choice whose scores differ between the neighbours.
struct ScoreDifference {
  std::size_t block = 0;
  std::vector<double> on_d;      ///< of each candidate: log P(chosen | d)
  std::vector<double> log_odds;  ///< of each candidate: log P(chosen | d) / P(chosen | neighbour)
};

/// All that differs between two neighbours.
struct Direction {
  std::vector<Difference> coordinates;
  std::vector<ScoreDifference> choices;
  [[nodiscard]] bool empty() const { return coordinates.empty() && choices.empty(); }
};

[[nodiscard]] Direction differences(const ExactBlocks& d, const ExactBlocks& neighbour,
                                    const model::Measurement& measurement);

/// What is looked at in what was published: its projection on the difference, and the log likelihood ratio of
/// the neighbours under the claimed law (the sharper of the two when the law is as claimed).
struct RunStatistic {
  double projection = 0;
  double ratio = 0;
};

[[nodiscard]] RunStatistic look_at(std::span<const model::MeasuredBlock> blocks, const Direction& direction);

/// What measurements show of two neighbours by the laws of their noise, computed and not estimated: epsilon,
/// or the largest Renyi divergence over its order, of some orders and in both directions. Measurements that
/// are added up are independent given those before them.
class LawLoss {
 public:
  explicit LawLoss(Currency currency) : currency_(currency) {}
  void add(const Direction& direction);
  void add(const LawLoss& other);
  [[nodiscard]] double largest() const;

 private:
  static constexpr std::array<double, 6> kOrders{1.01, 1.5, 2, 4, 16, 64};
  Currency currency_;
  std::array<double, 2 * kOrders.size()> losses_{};  ///< of d and the neighbour, then the other way round
};

}  // namespace postern::app
