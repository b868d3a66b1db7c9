#include "postern/assess/bounds/clipped_count.hpp"

#include <cmath>
#include <cstdlib>

#include "domain.hpp"

namespace postern::assess {

ClippedCount::ClippedCount(std::int64_t count, std::int64_t records, double rate)
    : count_(count), records_(records), rate_(rate) {
  check_positive(rate);
  if (records < 1 || count < 0 || count > records)
    throw Error(ErrorCode::usage, {"a supposed count lies between 0 and a number of records that is not 0"});
}

double ClippedCount::pmf(std::int64_t z) const {
  if (z < 0 || z > records_) return 0;
  const double fall = std::exp(-rate_ * static_cast<double>(std::abs(z - count_)));
  const bool end = z == 0 || z == records_;
  return end ? fall / (1 + std::exp(-rate_)) : std::tanh(rate_ / 2) * fall;
}

double ClippedCount::mean() const {
  const auto below = static_cast<double>(count_ + 1);
  const auto above = static_cast<double>(records_ - count_ + 1);
  const double moved = std::exp(-rate_ * below) - std::exp(-rate_ * above);
  return static_cast<double>(count_) - moved / std::expm1(-2 * rate_);
}

double clipped_continuous_mean(double count, double records, double scale) {
  check_positive(scale);
  check_not_negative(count);
  check_not_negative(records - count);
  return count + scale / 2 * (std::exp(-count / scale) - std::exp(-(records - count) / scale));
}

}  // namespace postern::assess
