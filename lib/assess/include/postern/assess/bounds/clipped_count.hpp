#pragma once

#include <cstdint>

namespace postern::assess {

/// The law of a supposed count after discrete Laplace noise, clipped to 0..records. For counts that somebody
/// supposes (a prior's draws, an experiment's): never for an owner's records.
class ClippedCount {
 public:
  /// Fails with `usage`: records < 1, a count outside 0..records, a rate that is not positive and finite.
  ClippedCount(std::int64_t count, std::int64_t records, double rate);

  [[nodiscard]] double pmf(std::int64_t z) const;
  [[nodiscard]] double mean() const;
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] std::int64_t records() const { return records_; }
  [[nodiscard]] double rate() const { return rate_; }

 private:
  std::int64_t count_;
  std::int64_t records_;
  double rate_;
};

/// The mean of continuous Laplace noise on a supposed count, clipped to [0, records].
[[nodiscard]] double clipped_continuous_mean(double count, double records, double scale);

}  // namespace postern::assess
