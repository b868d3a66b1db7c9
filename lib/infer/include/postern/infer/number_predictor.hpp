#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace postern::infer {

/// What a posterior says of a number in a new record, given the levels of its other columns: under each draw
/// of the parameters it is normal, or a Poisson count. Immutable; used by several threads.
class NumberPredictor {
 public:
  NumberPredictor() = default;
  NumberPredictor(const NumberPredictor&) = delete;
  NumberPredictor& operator=(const NumberPredictor&) = delete;
  virtual ~NumberPredictor() = default;

  [[nodiscard]] virtual std::size_t draws() const = 0;
  /// means[d] is the number's mean under draw d. False where a level is -1 that it depends on.
  [[nodiscard]] virtual bool means(std::span<const std::int32_t> record, std::span<double> means) const = 0;
  /// Is it a Poisson count under each draw?
  [[nodiscard]] virtual bool counts() const { return false; }
  /// Its standard deviation under each draw. Not asked of counts.
  [[nodiscard]] virtual std::span<const double> deviations() const = 0;
  /// The number that a level of the target stands for.
  [[nodiscard]] virtual double value(std::int32_t level) const = 0;
  /// How predictions are computed, in a few words.
  [[nodiscard]] virtual std::string how() const = 0;
};

}  // namespace postern::infer
