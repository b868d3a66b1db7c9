#include "exact/number_density_builder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"
#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

constexpr double kNats = 38;        ///< below the top: what does not count
constexpr double kMostHidden = 30;  ///< a peak may rise above the nodes around it, else the top is not known
constexpr std::size_t kMostNodes = 8'000;

std::vector<double> chebyshev(const std::vector<double>& value) {
  const std::size_t degree = value.size() - 1;
  std::vector<double> out(degree + 1);
  for (std::size_t m = 0; m <= degree; ++m) {
    double sum = 0;
    for (std::size_t k = 0; k <= degree; ++k) {
      const double ends = k == 0 || k == degree ? 0.5 : 1;
      const auto turn = static_cast<double>(m * (degree - k) % (2 * degree));  // nodes rise
      sum += ends * value[k] * std::cos(std::numbers::pi * turn / static_cast<double>(degree));
    }
    out[m] = sum * (m == 0 || m == degree ? 1 : 2) / static_cast<double>(degree);
  }
  return out;
}

}  // namespace

double PanelBuilder::Panel::node(std::size_t k) const {
  if (k == 0) return lo;
  if (k == kDegree) return hi;
  const double x = -std::cos(std::numbers::pi * static_cast<double>(k) / static_cast<double>(kDegree));
  return lo + 0.5 * (hi - lo) * (1 + x);
}

void PanelBuilder::evaluate(const std::vector<Panel>& panels) {
  std::vector<double> places;
  for (const Panel& panel : panels) {
    for (std::size_t k = 0; k <= kDegree; ++k) places.push_back(panel.node(k));
  }
  evaluate(places);
}

void PanelBuilder::evaluate(const std::vector<double>& wanted) {
  std::vector<double> places;
  for (const double z : wanted) {
    if (known_.emplace(z, kMinusInfinity).second) places.push_back(z);
  }
  if (known_.size() > kMostNodes)
    throw Error(ErrorCode::engine_limit, {"the exact posterior does not settle on any grid; try the gibbs "
                                          "engine, or look at the releases"});
  std::vector<double> values(places.size());
  const Known known{top_};
  parallel_for(places.size(), threads_, [&](std::size_t i) { values[i] = log_density_(places[i], known); });
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (std::isnan(values[i]))
      throw Error(ErrorCode::engine_limit, {"the exact posterior is not a number "
                                            "somewhere; look at the releases"});
    known_[places[i]] = values[i];
    top_ = std::max(top_, values[i]);
  }
}

/// At a point between nodes where the panel stops to count, so that the part that counts is a panel soon;
/// else in the middle.
void PanelBuilder::split(const Panel& panel, const std::vector<double>& value,
                         std::vector<Panel>& next) const {
  double cut = panel.lo + 0.5 * (panel.hi - panel.lo);
  const auto counts = [&](std::size_t k) { return value[k] > top_ - kNats - 8; };
  if (counts(0) != counts(kDegree)) {
    for (std::size_t k = 1; k < kDegree; ++k) {
      const std::size_t at = counts(0) ? k : kDegree - k;
      if (counts(at)) continue;
      cut = panel.node(at);
      break;
    }
  }
  if (!(cut > panel.lo && cut < panel.hi)) return;
  next.push_back({panel.lo, cut});
  next.push_back({cut, panel.hi});
}

void PanelBuilder::judge(const Panel& panel, std::vector<Panel>& next) {
  std::vector<double> value;
  for (std::size_t k = 0; k <= kDegree; ++k) {
    const double here = known_.at(panel.node(k));
    value.push_back(std::max(here, top_ - 1e6));
  }
  const auto highest = static_cast<std::size_t>(std::max_element(value.begin(), value.end()) - value.begin());
  // Between nodes a peak may be higher than its nodes; at an end the neighbour sees it as well.
  double hidden = 0;
  if (highest > 0 && highest < kDegree)
    hidden = std::max(value[highest] - value[highest - 1], value[highest] - value[highest + 1]);
  const bool narrow = panel.hi - panel.lo <= 1e-13 * std::max(std::abs(panel.lo), std::abs(panel.hi));
  const double reach = value[highest] + (narrow ? 0 : hidden);
  if (reach < top_ - kNats) return;
  const std::vector<double> coefficient = chebyshev(value);
  const double rest = std::max(std::abs(coefficient[kDegree]), 0.3 * std::abs(coefficient[kDegree - 1]));
  const double allowed = line_.tolerance * std::exp(std::clamp(0.5 * (top_ - reach), 0.0, 14.0));
  if ((rest <= allowed && hidden <= kMostHidden) || narrow) {
    accepted_.push_back({panel.lo, panel.hi, coefficient});
  } else {
    split(panel, value, next);
  }
}

/// Panels past the first and the last while those still count.
bool PanelBuilder::widen(std::vector<Panel>& next) {
  const double first = known_.begin()->first;
  const double last = known_.rbegin()->first;
  const double width = last - first;
  if (known_.begin()->second > top_ - kNats && first > line_.lowest)
    next.push_back({std::max(first - width, line_.lowest), first});
  if (known_.rbegin()->second > top_ - kNats && last < line_.highest)
    next.push_back({last, std::min(last + width, line_.highest)});
  return !next.empty();
}

void PanelBuilder::run() {
  std::vector<Panel> wave;
  for (std::size_t i = 0; i + 1 < line_.breaks.size(); ++i)
    wave.push_back({line_.breaks[i], line_.breaks[i + 1]});
  evaluate(line_.breaks);  // a first top
  std::vector<Panel> next;
  while (!wave.empty()) {
    evaluate(wave);
    next.clear();
    for (const Panel& panel : wave) judge(panel, next);
    if (next.empty()) widen(next);
    wave.swap(next);
  }
  finish();
}

/// Drops what was accepted before the top was known.
void PanelBuilder::finish() {
  std::sort(accepted_.begin(), accepted_.end(), [](const Fitted& a, const Fitted& b) { return a.lo < b.lo; });
  std::erase_if(accepted_, [&](const Fitted& fitted) {
    const Panel panel{fitted.lo, fitted.hi};
    double highest = kMinusInfinity;
    for (std::size_t k = 0; k <= kDegree; ++k) highest = std::max(highest, known_.at(panel.node(k)));
    return highest < top_ - kNats;
  });
}

}  // namespace postern::infer
