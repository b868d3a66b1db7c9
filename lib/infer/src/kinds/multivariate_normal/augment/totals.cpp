#include "postern/infer/kinds/multivariate_normal/augment/totals.hpp"

#include <algorithm>

namespace postern::infer {
namespace {

struct Interval {
  double low = 0;
  double high = 0;
};

Interval adds_of(const model::EncodedNumber& number) {
  return {static_cast<double>(number.values.adds.front()), static_cast<double>(number.values.adds.back())};
}

/// What a record may add to the sum of products, and 0.
Interval products_of(const Interval& a, const Interval& b) {
  const auto [low, high] = std::minmax({0.0, a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {low, high};
}

}  // namespace

VectorNoise::VectorNoise(const VectorRecords& records, double most) : counts_(records.counts, 0, most) {
  const std::size_t d = records.numbers.size();
  for (std::size_t i = 0; i < d; ++i) {
    const auto [low, high] = adds_of(records.numbers[i]);
    sums_.emplace_back(records.sums[i], std::min(0.0, most * low), std::max(0.0, most * high));
  }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = i; j < d; ++j) {
      const auto [low, high] = products_of(adds_of(records.numbers[i]), adds_of(records.numbers[j]));
      sums_.emplace_back(records.products[packed(i, j, d)], most * low, most * high);
    }
  }
  for (std::size_t s = 0; s < sums_.size(); ++s) {
    if (!sums_[s].seen()) continue;
    plain_ = plain_ && sums_[s].one_kink();
    if (!plain_) return;
    kinks_.at[s] = sums_[s].kinks().front().at;
    kinks_.rate[s] = sums_[s].kinks().front().rate;
  }
}

double VectorNoise::log_ratio(const VectorTotals& to, const VectorTotals& from) const {
  double sum = to.n == from.n ? 0 : counts_.log_ratio(to.n, from.n);
  for (std::size_t s = 0; s < sums_.size(); ++s) sum += sums_[s].log_ratio(to.sum[s], from.sum[s]);
  return sum;
}

double VectorNoise::max_log_gain(double n, const VectorTotals& from) const {
  double sum = n == from.n ? 0 : counts_.log_ratio(n, from.n);
  for (std::size_t s = 0; s < sums_.size(); ++s) sum += sums_[s].max_log_gain(from.sum[s]);
  return sum;
}

}  // namespace postern::infer
