#include "mean_scan.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/bracketed_root.hpp"

#include "kinds/number/exact/record/tilted_record.hpp"

namespace postern::infer {
namespace {

constexpr int kBetween = 8;          ///< stretches into which the range is cut
constexpr double kEndWidth = 1e-12;  ///< of a stretch, for an end of the range
constexpr double kRootWidth = 1e-7;  ///< and for a root
constexpr double kDeviations = 10;   ///< beyond which sampling does not smear a kink
constexpr double kGolden = 0.6180339887498949;

}  // namespace

std::vector<double> range_places(const NumberProblem& problem, const ThetaLine& line,
                                 const std::vector<double>& scan) {
  const model::EncodedNumber& number = problem.number;
  std::vector<double> out;
  const bool clamped = number.below == 0 && number.above + 1 == static_cast<std::int64_t>(number.levels());
  if (clamped) return out;
  for (const double end : {number.edges.front(), number.edges.back()}) {
    const auto miss = [&](double z) { return problem.law->moments({line.theta(z), 0}).mean - end; };
    for (std::size_t i = 0; i + 1 < scan.size(); ++i) {
      const double lo = miss(scan[i]);
      const double hi = miss(scan[i + 1]);
      if (!std::isfinite(lo) || !std::isfinite(hi) || (lo > 0) == (hi > 0)) continue;
      out.push_back(
          bracketed_root(miss, {scan[i], scan[i + 1], lo, hi}, kEndWidth * (scan[i + 1] - scan[i])));
    }
  }
  if (out.size() == 2) {
    const double from = out[0];
    const double step = (out[1] - from) / kBetween;
    for (int k = 1; k < kBetween; ++k) out.push_back(from + step * k);
  }
  return out;
}

MeanScan::MeanScan(const RecordLaw& record, const ThetaLine& line, std::vector<double> places)
    : record_(record), line_(line), place_(std::move(places)) {
  std::sort(place_.begin(), place_.end());
  for (const double z : place_) mean_.push_back(mean_at(z));
}

MeanScan::Moments MeanScan::moments_at(double z) const {
  RecordNodes nodes;
  if (!record_.nodes({line_.theta(z), 0}, nodes)) return {NAN, 0};
  TiltedRecord plain;
  tilt_record(nodes, 0, plain);
  return {plain.mean, plain.variance};
}

std::vector<double> MeanScan::add_turns() {
  std::vector<double> out;
  for (std::size_t i = 1; i + 1 < place_.size(); ++i) {
    const double left = mean_[i] - mean_[i - 1];
    const double right = mean_[i + 1] - mean_[i];
    if (left * right < 0) out.push_back(turn({place_[i - 1], place_[i + 1]}, left > 0 ? 1 : -1));
  }
  for (const double z : out) {
    const auto at = std::upper_bound(place_.begin(), place_.end(), z) - place_.begin();
    place_.insert(place_.begin() + at, z);
    mean_.insert(mean_.begin() + at, mean_at(z));
  }
  return out;
}

/// By the golden section.
double MeanScan::turn(Range range, double sign) const {
  double a = range.hi - kGolden * (range.hi - range.lo);
  double b = range.lo + kGolden * (range.hi - range.lo);
  double at_a = sign * mean_at(a);
  double at_b = sign * mean_at(b);
  for (int step = 0; step < 40; ++step) {
    if (at_a > at_b) {
      range.hi = b;
      b = a;
      at_b = at_a;
      a = range.hi - kGolden * (range.hi - range.lo);
      at_a = sign * mean_at(a);
    } else {
      range.lo = a;
      a = b;
      at_a = at_b;
      b = range.lo + kGolden * (range.hi - range.lo);
      at_b = sign * mean_at(b);
    }
  }
  return 0.5 * (range.lo + range.hi);
}

void MeanScan::add_roots(double target, double n, std::vector<double>& breaks) const {
  for (std::size_t i = 0; i + 1 < place_.size(); ++i) {
    if (std::isnan(mean_[i]) || std::isnan(mean_[i + 1])) continue;
    if ((mean_[i] > target) == (mean_[i + 1] > target)) continue;
    const Range within{place_[i], place_[i + 1]};
    const double z = bracketed_root([&](double at) { return mean_at(at) - target; },
                                    {within.lo, within.hi, mean_[i] - target, mean_[i + 1] - target},
                                    kRootWidth * (within.hi - within.lo));
    add_root(z, n, within, breaks);
  }
}

void MeanScan::add_root(double z, double n, Range within, std::vector<double>& breaks) const {
  breaks.push_back(z);
  const double h = 1e-4 * std::max(std::min(within.hi - within.lo, 1.0), 1e-6);
  const Moments here = moments_at(z);
  const double slope = (mean_at(z + h) - here.mean) / h;
  const double smear = kDeviations * std::sqrt(here.variance / std::max(n, 1.0)) / std::abs(slope);
  if (!(smear > 0) || !std::isfinite(smear)) return;
  for (const double place : {z - smear, z + smear}) {
    if (place > line_.lowest() && place < line_.highest()) breaks.push_back(place);
  }
}

}  // namespace postern::infer
