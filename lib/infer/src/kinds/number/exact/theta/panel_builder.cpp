#include "panel_builder.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"
#include "postern/core/special.hpp"

#include "numeric/panel_nodes.hpp"

namespace postern::infer {
namespace {

constexpr double kNats = 38;        ///< below the top: what does not count
constexpr double kMargin = 8;       ///< past that, where a panel may be cut
constexpr double kMostHidden = 30;  ///< a peak may rise above the nodes around it, else the top is not known
constexpr std::size_t kMostNodes = 8'000;
constexpr std::size_t kGlance = 2;  ///< degree from which to see that nothing is there
constexpr std::size_t kLook = 4;    ///< and where something may be
constexpr std::array<std::size_t, 5> kDegrees{8, 12, 16, 24, 32};  ///< of fits
constexpr std::size_t kMostGrowth = 3;  ///< of a degree at once, else a split is less of a risk
constexpr double kPromise = 0.9;        ///< of the rate at which coefficients fall: it tends to slow down
constexpr double kTrimmed = 0.75;       ///< of a panel's width, at most, for a cut to be worth it
constexpr double kNarrow = 0.02;        ///< of the breadth: a narrower panel may misfit by as much more
constexpr double kMostLeave = 1000;     ///< times more at most
constexpr double kSteep = 5;            ///< nats from the top of a panel to where it is split, at least

/// How far a polynomial is from what it stands for, by its last coefficients and how they fall.
class Misfit {
 public:
  explicit Misfit(const std::vector<double>& coefficient) : degree_(coefficient.size() - 1) {
    const auto size = [&](std::size_t k) { return std::abs(coefficient[k]); };
    const double last = std::max(size(degree_), size(degree_ - 1));
    const double before = std::max(size(degree_ / 2), size(degree_ / 2 - 1));
    fall_ = last < before ? std::pow(last / before, 2 / static_cast<double>(degree_)) : 1;
    const double rest = std::max(size(degree_), 0.3 * size(degree_ - 1));
    // All later ones, and once more for what they do to those before them; more at uneven nodes.
    const double later = fall_ < 1 ? std::clamp(2 * fall_ / (1 - fall_), 0.5, 4.0) : 4;
    error_ = rest * later * (degree_ == 12 || degree_ == 24 ? 2 : 1);
  }

  [[nodiscard]] double error() const { return error_; }
  /// The next degree that promises what is allowed; 0 where none does.
  [[nodiscard]] std::size_t degree_for(double allowed) const {
    for (const std::size_t next : kDegrees) {
      if (next <= degree_ || next > kMostGrowth * degree_) continue;
      if (error_ * std::pow(fall_, kPromise * static_cast<double>(next - degree_)) <= allowed) return next;
    }
    return 0;
  }

 private:
  std::size_t degree_;
  double fall_ = 1;  ///< from one coefficient to the next
  double error_ = 0;
};

}  // namespace

double PanelBuilder::Panel::node(std::size_t k) const {
  if (k == 0) return lo;
  if (k == degree) return hi;
  return lo + 0.5 * (hi - lo) * (1 + panel_nodes(degree).place[k]);
}

bool PanelBuilder::Panel::narrow() const { return hi - lo <= 1e-13 * std::max(std::abs(lo), std::abs(hi)); }

void PanelBuilder::evaluate(const std::vector<Panel>& panels) {
  std::vector<double> places;
  for (const Panel& panel : panels) {
    for (std::size_t k = 0; k <= panel.degree; ++k) places.push_back(panel.node(k));
  }
  evaluate(places);
}

void PanelBuilder::evaluate(const std::vector<double>& wanted) {
  std::vector<double> places;
  for (const double z : wanted) {
    if (known_.emplace(z, kMinusInfinity).second) places.push_back(z);
  }
  if (known_.size() > kMostNodes)
    throw Error(
        ErrorCode::engine_limit,
        {"the exact posterior does not settle on any grid; take --engine augment, or look at the releases"});
  std::vector<double> values(places.size());
  const AccuracyGoal goal{top_};
  parallel_for(places.size(), threads_, [&](std::size_t i) { values[i] = log_density_(places[i], goal); });
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (std::isnan(values[i]))
      throw Error(ErrorCode::engine_limit, {"the exact posterior is not a number "
                                            "somewhere; look at the releases"});
    known_[places[i]] = values[i];
    top_ = std::max(top_, values[i]);
  }
  breadth_ = 0;
}

/// A panel between places that are known.
PanelBuilder::Panel PanelBuilder::begin(double lo, double hi) const {
  const bool counts = std::max(known_.at(lo), known_.at(hi)) > top_ - kNats;
  return {lo, hi, counts ? kLook : kGlance};
}

PanelBuilder::View PanelBuilder::look(const Panel& panel) const {
  View view;
  std::vector<double>& value = view.value;
  for (std::size_t k = 0; k <= panel.degree; ++k)
    value.push_back(std::max(known_.at(panel.node(k)), top_ - 1e6));
  const auto at = static_cast<std::size_t>(std::max_element(value.begin(), value.end()) - value.begin());
  view.highest = at;
  // At an end the neighbour sees a peak as well.
  if (at > 0 && at < panel.degree)
    view.hidden = std::max(value[at] - value[at - 1], value[at] - value[at + 1]);
  view.reach = value[at] + (panel.narrow() ? 0 : view.hidden);
  return view;
}

/// Where the density stops to count, between a node that does and the next, which does not: log density falls
/// like a parabola there, about.
double PanelBuilder::edge(const Panel& panel, const View& view, std::size_t in, std::size_t out) const {
  const auto depth = [&](std::size_t k) { return std::sqrt(std::max(top_ - view.value[k], 0.0)); };
  const double part = (std::sqrt(kNats + kMargin) - depth(in)) / (depth(out) - depth(in));
  const double from = panel.node(in);
  return from + (panel.node(out) - from) * std::clamp(part, 0.1, 1.0);
}

/// Makes the part that counts a panel of its own where it is much narrower; the others are seen to once more.
bool PanelBuilder::trim(const Panel& panel, const View& view, std::vector<Panel>& next) const {
  const auto counts = [&](std::size_t k) {
    return k == view.highest || view.value[k] > top_ - kNats - kMargin;
  };
  std::size_t first = 0;
  std::size_t last = panel.degree;
  while (!counts(first)) ++first;
  while (!counts(last)) --last;
  const double lo = first == 0 ? panel.lo : edge(panel, view, first, first - 1);
  const double hi = last == panel.degree ? panel.hi : edge(panel, view, last, last + 1);
  if (hi - lo > kTrimmed * (panel.hi - panel.lo) || !(lo < hi)) return false;
  if (lo > panel.lo) next.push_back({panel.lo, lo, kGlance});
  next.push_back({lo, hi, kDegrees.front()});
  if (hi < panel.hi) next.push_back({hi, panel.hi, kGlance});
  return true;
}

/// In the middle; or, as what is far below the top of a panel need not be known so well, some way down.
void PanelBuilder::split(const Panel& panel, const View& view, std::vector<Panel>& next) const {
  const std::vector<double>& value = view.value;
  const double width = panel.hi - panel.lo;
  double cut = panel.lo + 0.5 * width;
  const bool left = value.front() < value.back();
  const double high = value[view.highest];
  const double low = std::max(left ? value.front() : value.back(), top_ - kNats - kMargin);
  const double level = high - std::max(kSteep, 0.25 * (high - low));
  if (low < level - kSteep) {
    std::size_t out = view.highest;
    while (value[out] > level) left ? --out : ++out;
    const std::size_t in = left ? out + 1 : out - 1;
    const double part = (value[in] - level) / (value[in] - value[out]);
    cut = std::clamp(panel.node(in) + part * (panel.node(out) - panel.node(in)), panel.lo + 0.1 * width,
                     panel.hi - 0.1 * width);
  }
  if (!(cut > panel.lo && cut < panel.hi)) return;
  next.push_back({panel.lo, cut, kLook});
  next.push_back({cut, panel.hi, kLook});
}

/// The width of a box as high as the top with all the mass, about.
double PanelBuilder::breadth() {
  if (breadth_ > 0) return breadth_;
  auto at = known_.begin();
  double z = at->first;
  double here = std::exp(at->second - top_);
  for (++at; at != known_.end(); ++at) {
    const double next = std::exp(at->second - top_);
    breadth_ += 0.5 * (here + next) * (at->first - z);
    z = at->first;
    here = next;
  }
  return breadth_;
}

/// By how much a panel may misfit: more where the density is low, or the panel too narrow to hold much mass.
double PanelBuilder::allowed(const Panel& panel, const View& view) {
  const double low = std::exp(std::clamp(0.5 * (top_ - view.reach), 0.0, 14.0));
  const double narrow = std::min(kNarrow * breadth() / (panel.hi - panel.lo), kMostLeave);
  return line_.tolerance * std::max(low, narrow);
}

void PanelBuilder::judge(const Panel& panel, std::vector<Panel>& next) {
  const View view = look(panel);
  if (view.reach < top_ - kNats) return;
  std::size_t degree = panel.degree < kLook ? kLook : kDegrees.front();
  if (panel.degree >= kDegrees.front()) {
    std::vector<double> coefficient = panel_nodes(panel.degree).fit(view.value);
    const Misfit misfit(coefficient);
    const double most = allowed(panel, view);
    if ((misfit.error() <= most && view.hidden <= kMostHidden) || panel.narrow()) {
      accepted_.push_back({panel.lo, panel.hi, std::move(coefficient)});
      return;
    }
    degree = misfit.degree_for(most);
  }
  if (!panel.narrow() && trim(panel, view, next)) return;
  if (degree > 0) {
    next.push_back({panel.lo, panel.hi, degree});
  } else {
    split(panel, view, next);
  }
}

/// Panels past the first and the last while those still count.
bool PanelBuilder::widen(std::vector<Panel>& next) {
  const double first = known_.begin()->first;
  const double last = known_.rbegin()->first;
  const double width = last - first;
  if (known_.begin()->second > top_ - kNats && first > line_.lowest)
    next.push_back({std::max(first - width, line_.lowest), first, kLook});
  if (known_.rbegin()->second > top_ - kNats && last < line_.highest)
    next.push_back({last, std::min(last + width, line_.highest), kLook});
  return !next.empty();
}

void PanelBuilder::run() {
  evaluate(line_.breaks);  // a first top
  std::vector<Panel> wave;
  for (std::size_t i = 0; i + 1 < line_.breaks.size(); ++i)
    wave.push_back(begin(line_.breaks[i], line_.breaks[i + 1]));
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
    const Panel panel{fitted.lo, fitted.hi, fitted.coefficient.size() - 1};
    const View view = look(panel);
    return view.value[view.highest] < top_ - kNats;
  });
}

}  // namespace postern::infer
