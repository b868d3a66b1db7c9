#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "postern/model/statistic.hpp"
#include "postern/model/statistic/moments.hpp"

namespace postern::model {

inline constexpr std::int64_t kGradientSteps = 1024;               ///< of a scaled column, from 0 to 1
inline constexpr unsigned kThetaBits = 16;                         ///< coefficients are in units of 2^-16
inline constexpr std::int64_t kMostTheta = std::int64_t{1} << 22;  ///< 64, either way
inline constexpr unsigned kLogisticBits = 20;                      ///< probabilities are in units of 2^-20

/// The gradient of a logistic regression's log likelihood at public coefficients: the sum over records of
/// (y - logistic(theta . w)) w with w = (1, features), y = 1 at the target's second level. Columns are scaled
/// as for Moments, and every record's term is rounded toward zero, in whole numbers alone, before it is
/// added.
struct GradientSum {
  std::vector<std::string> features;
  std::string target;  ///< two levels
  bool intercept = true;
  std::vector<std::int64_t> theta;  ///< one a coordinate, in units of 2^-16
};
[[nodiscard]] const StatisticKind& kind_of(const GradientSum& gradient);

/// logistic(t / 2^26), in units of 2^-20, rising, within 4e-6: the same on every machine. 26 bits are those
/// of a coefficient times a step of a column.
[[nodiscard]] std::int64_t logistic_units(std::int64_t t);

/// The integers of w, times kGradientSteps, level by level of every column: what a record is to a gradient.
class GradientEntries {
 public:
  GradientEntries(const GradientSum& gradient, const Schema& schema);
  [[nodiscard]] std::size_t size() const { return size_; }
  /// w of a record at these levels: features, then the target, which is not looked at.
  void fill(std::span<const std::uint32_t> levels, std::span<std::int64_t> w) const;
  /// Columns, the intercept among them, as 1, of which a record has at most one entry that is not 0.
  struct Slot {
    std::size_t first = 0;
    std::size_t count = 1;
    bool number = false;  ///< its entry is from -1 to 1; else 0 or 1, or 1 always
  };
  [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }

 private:
  std::vector<Slot> slots_;
  std::vector<std::vector<std::int16_t>> numbers_;  ///< of each feature that is one
  std::size_t size_ = 0;
  bool intercept_;
};

/// The most that one record's term can be in absolute value, slot by slot. Note: statistic/gradient/cost.md.
[[nodiscard]] std::vector<std::int64_t> gradient_bounds(const GradientSum& gradient, const Schema& schema);

}  // namespace postern::model
