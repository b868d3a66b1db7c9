#include "postern/infer/kinds/number/gibbs/moment_table.hpp"

#include <algorithm>
#include <cmath>

namespace postern::infer {
namespace {

constexpr double kWidest = 2;      ///< of a panel
constexpr int kDeepest = 40;       ///< halvings of it
constexpr double kSteepest = 2.5;  ///< deviations by which the mean of t may move across a panel
constexpr double kTolerance = 1e-9;
constexpr int kPatience = 10;  ///< glances before a panel is made
constexpr std::size_t kMostPanels = 4096;
constexpr double kMostIndex = 1e12;    ///< a parameter further away is not told from its neighbours
constexpr double kMostFree = 320;      ///< beyond, moments of t overflow
constexpr double kNoVariance = 1e-11;  ///< of the panel's largest, below which the polynomial has no digits

}  // namespace

FreeParameter::FreeParameter(const model::NumberLaw& law) : space_(law.space(0)) {
  if (space_ == model::ParameterSpace::real) scale_ = std::sqrt(law.moments({0, 0}).variance);
}

double FreeParameter::from(double theta) const {
  double out = theta / scale_;
  if (space_ == model::ParameterSpace::positive) out = std::log(theta);
  if (space_ == model::ParameterSpace::unit) out = std::log(theta) - std::log1p(-theta);
  return std::clamp(out, least(), most());
}

double FreeParameter::to(double free) const {
  if (space_ == model::ParameterSpace::positive) return std::exp(free);
  if (space_ == model::ParameterSpace::real) return free * scale_;
  const double theta = free < 0 ? std::exp(free) / (1 + std::exp(free)) : 1 / (1 + std::exp(-free));
  return std::clamp(theta, 1e-300, 1 - 0x1p-53);
}

double FreeParameter::log_slope(double free) const {
  if (space_ == model::ParameterSpace::positive) return free;
  if (space_ == model::ParameterSpace::real) return 0;
  return -std::abs(free) - 2 * std::log1p(std::exp(-std::abs(free)));
}

double FreeParameter::least() const { return space_ == model::ParameterSpace::real ? -1e300 : -kMostFree; }

double FreeParameter::most() const {
  if (space_ == model::ParameterSpace::real) return 1e300;
  return space_ == model::ParameterSpace::unit ? 36 : kMostFree;
}

MomentTable::MomentTable(std::shared_ptr<const model::NumberLaw> law,
                         std::shared_ptr<const model::EncodedNumber> number)
    : law_(std::move(law)),
      number_(std::move(number)),
      free_(std::make_shared<const FreeParameter>(*law_)),
      levels_(std::make_shared<const LevelMomentSum>(*law_, *number_)) {}

RecordMoments MomentTable::Panel::at(double free) const {
  const double x = (2 * free - lo - hi) / (hi - lo);
  std::array<double, 3> b1{};
  std::array<double, 3> b2{};
  for (std::size_t k = kPoints - 1; k > 0; --k) {
    for (std::size_t i = 0; i < 3; ++i) {
      const double b = series[k][i] + 2 * x * b1[i] - b2[i];
      b2[i] = b1[i];
      b1[i] = b;
    }
  }
  const double mean = series[0][0] + x * b1[0] - b2[0];
  const double variance = series[0][1] + x * b1[1] - b2[1];
  if (!(variance > least_variance)) return {mean, 0, 0};
  return {mean, variance, series[0][2] + x * b1[2] - b2[2]};
}

RecordMoments MomentTable::at(double free) {
  if (std::abs(free) > kMostIndex) {
    const LevelMoments k = directly(free);
    return {k.mean, k.variance, 0};
  }
  if (!(free >= current_.lo && free < current_.hi)) current_ = find(free);
  return current_.at(free);
}

RecordMoments MomentTable::glance(double free) {
  const bool near = std::abs(free) <= kMostIndex;
  if (near && free >= current_.lo && free < current_.hi) return current_.at(free);
  if (near && ++glances_[static_cast<std::int64_t>(std::floor(free / kWidest))] > kPatience) return at(free);
  const LevelMoments k = directly(free);
  return {k.mean, k.variance, 0};
}

LevelMoments MomentTable::directly(double free) const { return levels_->at({free_->to(free), 0}); }

MomentTable::Node MomentTable::node(double free, const LevelMomentSum::Runs& runs) const {
  const model::Theta theta{free_->to(free), 0};
  const LevelMoments k = levels_->at(theta, runs);
  const model::TwoMoments t = law_->moments(theta);
  return {k.mean, k.variance, t.mean, t.variance};
}

/// Could k do something between the points of the panel that none of them shows? Not if the law stays outside
/// the column, or moves by few deviations.
bool MomentTable::too_wide(double lo, double hi) const {
  const model::TwoMoments a = law_->moments({free_->to(lo), 0});
  const model::TwoMoments b = law_->moments({free_->to(hi), 0});
  const double deviation = std::sqrt(std::min(a.variance, b.variance));
  if (std::abs(a.mean - b.mean) < kSteepest * deviation || hi - lo < 1e-9) return false;
  const double reach = 9 * std::sqrt(std::max(a.variance, b.variance));
  return std::min(a.mean, b.mean) - reach < number_->edges.back() &&
         std::max(a.mean, b.mean) + reach > number_->edges.front();
}

const MomentTable::Panel& MomentTable::find(double free) {
  if (panels_.size() > kMostPanels) {
    panels_.clear();
    glances_.clear();
  }
  double width = kWidest;
  for (int depth = 0;; ++depth, width /= 2) {
    const double index = std::floor(free / width);
    const double lo = index * width;
    const double hi = lo + width;
    const bool last = depth == kDeepest || width < 1e-10 * std::abs(free);
    if (!last && too_wide(lo, hi)) continue;
    const auto key =
        static_cast<std::uint64_t>(static_cast<std::int64_t>(index)) * 64 + static_cast<std::uint64_t>(depth);
    auto found = panels_.find(key);
    if (found == panels_.end()) {
      const LevelMomentSum::Runs runs = levels_->runs(
          std::min(levels_->deviation({free_->to(lo), 0}), levels_->deviation({free_->to(hi), 0})));
      Panel panel = make(lo, hi, runs);
      panel.good = last || faithful(panel, runs);
      found = panels_.emplace(key, panel).first;
    }
    if (found->second.good) return found->second;
  }
}

MomentTable::Panel MomentTable::make(double lo, double hi, const LevelMomentSum::Runs& runs) const {
  Poly::Series mean{};
  Poly::Series variance{};
  Poly::Series t_mean{};
  Poly::Series t_variance{};
  for (std::size_t i = 0; i < kPoints; ++i) {
    const Node here = node(lo + 0.5 * (hi - lo) * (1 + Poly::point(i)), runs);
    mean[i] = here.mean;
    variance[i] = here.variance;
    t_mean[i] = here.t_mean;
    t_variance[i] = here.t_variance;
  }
  Panel panel;
  panel.lo = lo;
  panel.hi = hi;
  panel.least_variance = 1e-15;  // of whole numbers: all but certain
  const Poly::Series means = Poly::fit(mean);
  const Poly::Series variances = Poly::fit(variance);
  const Poly::Series rise = Poly::slope(means);
  const Poly::Series t_rise = Poly::slope(Poly::fit(t_mean));
  Poly::Series covariance{};
  for (std::size_t i = 0; i < kPoints; ++i) {
    const double x = Poly::point(i);
    const double t_slope = Poly::at(t_rise, x);
    const double found = t_variance[i] * (Poly::at(rise, x) / t_slope);
    covariance[i] = std::isfinite(found) ? found : 0;
    panel.least_variance = std::max(panel.least_variance, kNoVariance * variance[i]);
  }
  const Poly::Series covariances = Poly::fit(covariance);
  for (std::size_t k = 0; k < kPoints; ++k) panel.series[k] = {means[k], variances[k], covariances[k]};
  return panel;
}

bool MomentTable::faithful(const Panel& panel, const LevelMomentSum::Runs& runs) const {
  for (const double share : {0.013, 0.47, 0.955}) {
    const double free = panel.lo + share * (panel.hi - panel.lo);
    const Node wanted = node(free, runs);
    const RecordMoments found = panel.at(free);
    const double deviation = std::max(std::sqrt(wanted.variance), 1e-6);
    if (std::abs(found.mean - wanted.mean) > kTolerance * deviation + 1e-13 * std::abs(wanted.mean))
      return false;
    if (std::abs(found.variance - wanted.variance) > 10 * kTolerance * deviation * deviation) return false;
  }
  return true;
}

}  // namespace postern::infer
