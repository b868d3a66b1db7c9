#include "class_outline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace postern::infer {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// How far a function with these slopes before, over and behind an interval may lie from its chord.
double bend(double before, double over, double behind, double width) {
  const double left = std::abs(before - over);
  const double right = std::abs(over - behind);
  if (left == kInfinity && right == kInfinity) return kInfinity;
  if (left == kInfinity) return width * right;
  if (right == kInfinity) return width * left;
  return left + right > 0 ? width * left * right / (left + right) : 0;
}

}  // namespace

ClassOutline::ClassOutline(const StarView& star, std::size_t class_index)
    : root_(star.root_family().alpha[class_index], star.root_family().noisy_values[class_index],
            star.most()) {
  for (std::size_t leaf = 0; leaf < star.leaves.size(); ++leaf) {
    const CptRow row = star.row(leaf, class_index);
    rows_.emplace_back();
    if (is_seen(row)) rows_.back().emplace(row, star.most());
  }
  const auto most = static_cast<double>(star.most());
  constexpr int kGrid = 24;
  for (int j = 0; j <= kGrid; ++j) {
    const double x = static_cast<double>(j) / kGrid;
    const double total = std::round(x * x * most);
    if (!points_.contains(total)) points_[total] = value_at(total);
  }
}

double ClassOutline::value_at(double total) {
  double sum = root_.log_weight(static_cast<std::int64_t>(total));
  for (std::optional<RowOutline>& row : rows_) {
    if (row) sum += row->log_at(total);
  }
  return sum;
}

Profile ClassOutline::profile() const {
  std::vector<Profile::Point> points;
  points.reserve(points_.size());
  for (const auto& [total, value] : points_) points.push_back({total, value});
  return Profile(std::move(points));
}

std::vector<double> ClassOutline::missing(double tilt, double depth) const {
  const Profile profile = this->profile();
  const std::vector<Profile::Point>& points = profile.points();
  const Profile::Point top = profile.peak(tilt);
  const auto tilted = [&](const Profile::Point& p) {
    return p.value - top.value + tilt * (p.total - top.total);
  };
  const auto last = static_cast<std::ptrdiff_t>(points.size()) - 1;
  const auto slope = [&](std::ptrdiff_t i) {
    if (i < 0 || i >= last) return i < 0 ? kInfinity : -kInfinity;
    const Profile::Point* p = points.data() + i;
    return (p[1].value - p[0].value) / (p[1].total - p[0].total);
  };
  std::vector<double> out;
  for (std::ptrdiff_t i = 0; i < last; ++i) {
    const Profile::Point* p = points.data() + i;
    const double width = p[1].total - p[0].total;
    if (width <= 1) continue;
    const double off = bend(slope(i - 1), slope(i), slope(i + 1), width);
    constexpr double kTolerance = 1;  // nats
    const bool matters = std::max(tilted(p[0]), tilted(p[1])) + off >= -depth;
    if (matters && off > kTolerance) out.push_back(std::floor(0.5 * (p[0].total + p[1].total)));
  }
  return out;
}

bool ClassOutline::refine(const TotalsPlan& totals, double depth) {
  bool added = false;
  for (const TotalsPlan::Stop& stop : totals.stops) {
    for (const double total : missing(stop.tilt, depth)) {
      if (points_.contains(total)) continue;
      points_[total] = value_at(total);
      added = true;
    }
  }
  return added;
}

std::vector<RowPlan> ClassOutline::rows_at(double total) {
  std::vector<RowPlan> out(rows_.size());
  for (std::size_t leaf = 0; leaf < rows_.size(); ++leaf) {
    std::optional<RowOutline>& row = rows_[leaf];
    if (row) out[leaf] = {row->tilt_at(total), row->bounds()};
  }
  return out;
}

}  // namespace postern::infer
