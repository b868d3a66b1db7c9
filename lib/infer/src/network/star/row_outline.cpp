#include "row_outline.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "star_view.hpp"

namespace postern::infer {

RowOutline::RowOutline(const CptRow& row, std::int64_t most)
    : cells_(cells_of(row, most)), total_weight_(sum_of_alpha(row), LatentTotal{most, 0}) {
  for (const Cell& cell : cells_) height_at_zero_ += cell.log_weight(0);
  if (cells_.size() > 1) tangents_.push_back(touch(0));
}

RowOutline::Tangent RowOutline::touch(double tilt) const {
  double log_mass = 0;
  double mean = 0;
  double variance = 0;
  for (const Cell& cell : cells_) {
    const Cell::Moments one = cell.moments(tilt);
    log_mass += one.log_mass;
    mean += one.mean;
    variance += one.variance;
  }
  return {tilt, mean, log_mass - tilt * mean, 0.5 * std::log1p(2 * std::numbers::pi * variance),
          std::sqrt(variance)};
}

/// Tangents on both sides of a total.
void RowOutline::reach(double total) {
  const auto by_total = [](const Tangent& a, const Tangent& b) { return a.total < b.total; };
  constexpr int kMostSteps = 80;
  double stride = 1 / (1 + tangents_.front().sd);
  for (int i = 0; !lowest_ && tangents_.front().total > total; ++i, stride *= 2) {
    tangents_.insert(tangents_.begin(), touch(tangents_.front().tilt - stride));
    lowest_ = i == kMostSteps;
  }
  stride = 1 / (1 + tangents_.back().sd);
  for (int i = 0; !highest_ && tangents_.back().total <= total; ++i, stride *= 2) {
    tangents_.push_back(touch(tangents_.back().tilt + stride));
    highest_ = i == kMostSteps;
  }
  // Where no double is the right tilt, means are not what they should be.
  if (!std::is_sorted(tangents_.begin(), tangents_.end(), by_total))
    std::stable_sort(tangents_.begin(), tangents_.end(), by_total);
}

std::size_t RowOutline::bracket(double total) {
  reach(total);
  constexpr double kTolerance = 0.5;  // nats
  for (int budget = 40;; --budget) {
    const auto right = std::upper_bound(tangents_.begin(), tangents_.end(), total,
                                        [](double n, const Tangent& t) { return n < t.total; });
    const auto index = static_cast<std::size_t>(right - tangents_.begin());
    if (index == 0 || index == tangents_.size()) return index;
    const Tangent& a = tangents_[index - 1];
    const Tangent& b = tangents_[index];
    const double width = b.total - a.total;
    const double chord = (b.height - a.height) / width;
    // Both tangents lie above the curve, the chord below.
    const double bend = b.tilt - a.tilt;
    const double gap = bend > 0 ? (-a.tilt - chord) * (chord + b.tilt) / bend * width : 0;
    if (budget == 0 || width <= 1 || !(gap > kTolerance)) return index;
    const double share = (total - a.total) / width;
    const Tangent between = touch(a.tilt + std::clamp(share, 0.1, 0.9) * bend);
    if (!(between.total > a.total && between.total < b.total)) return index;
    tangents_.insert(right, between);
  }
}

double RowOutline::log_at(double total) {
  if (cells_.size() == 1) return cells_.front().noise().log_at(total);
  const double factor = total_weight_.log_ratio(total, 0);
  if (total <= 0) return factor + height_at_zero_;
  const std::size_t index = bracket(total);
  if (index == 0 || index == tangents_.size()) {
    const Tangent& end = index == 0 ? tangents_.front() : tangents_.back();
    return factor + end.height - end.tilt * (total - end.total) - end.spread;
  }
  const Tangent& a = tangents_[index - 1];
  const Tangent& b = tangents_[index];
  const double width = b.total - a.total;
  const double x = (total - a.total) / width;
  // The cubic with these heights and slopes at both ends.
  const double cubic = a.height * (1 + 2 * x) * (1 - x) * (1 - x) + b.height * x * x * (3 - 2 * x) -
                       width * x * (1 - x) * (a.tilt * (1 - x) - b.tilt * x);
  return factor + cubic - (a.spread * (1 - x) + b.spread * x);
}

double RowOutline::tilt_at(double total) {
  if (cells_.size() == 1) {
    const auto n = static_cast<std::int64_t>(total);
    return cells_.front().log_weight(n) - cells_.front().log_weight(n + 1);
  }
  total = std::max(total, 0.5);
  const std::size_t index = bracket(total);
  if (index == 0) return tangents_.front().tilt;
  if (index == tangents_.size()) return tangents_.back().tilt;
  const Tangent& a = tangents_[index - 1];
  const Tangent& b = tangents_[index];
  return a.tilt + (total - a.total) / (b.total - a.total) * (b.tilt - a.tilt);
}

std::vector<RowMessage::Bound> RowOutline::bounds() const {
  std::vector<RowMessage::Bound> out;
  out.reserve(tangents_.size());
  for (const Tangent& tangent : tangents_) out.push_back({tangent.tilt, tangent.total, tangent.height});
  return out;
}

}  // namespace postern::infer
