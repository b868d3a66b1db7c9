#include "exact/latent_cell.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

#include "exact/smooth_nodes.hpp"

namespace postern::infer {
namespace {

constexpr Accuracy kFine;
constexpr Accuracy kCoarse{1e-8, 1e-12};
constexpr std::size_t kManyPairs = 40'000;
constexpr std::size_t kFewPairs = 4'096;

struct PairWindows {
  Window s;
  Window r;
  std::int64_t middle = 0;  ///< an s of large weight
  [[nodiscard]] double pairs() const { return static_cast<double>(s.size()) * static_cast<double>(r.size()); }
};

class LatentPairs {
 public:
  LatentPairs(const Message& mine, const Message& outside, AlphaSplit alpha, const CountTree& tree)
      : mine_(mine), outside_(outside), alpha_(alpha), tree_(tree), plan_(tree.plan()) {}

  /// The counts and partners worth summing: those whose best pair is not negligible, on a coarse grid, with
  /// room to spare.
  [[nodiscard]] PairWindows windows(double negligible) const;
  /// The sum as it is defined.
  [[nodiscard]] LatentCell sum_pairs(const PairWindows& windows) const;
  [[nodiscard]] SmoothNodes nodes_of_s(const PairWindows& windows, double error) const;
  [[nodiscard]] SmoothNodes nodes_of_r(const PairWindows& windows, double error) const;
  [[nodiscard]] LatentCell interpolate(const PairWindows& windows, SmoothNodes s, SmoothNodes r) const;

 private:
  [[nodiscard]] double log_total_weight(double n) const {
    const auto anchor = static_cast<double>(plan_.tilts.anchor);
    return plan_.total.log_ratio(n, anchor) - plan_.tilts.tilt * (n - anchor);
  }
  [[nodiscard]] double slope(double n) const { return plan_.total.slope(n) - plan_.tilts.tilt; }
  [[nodiscard]] Message side(const PairWindows& windows) const;

  const Message& mine_;
  const Message& outside_;
  AlphaSplit alpha_;
  const CountTree& tree_;
  const CountPlan& plan_;
};

/// At most 100 integers of a window, both ends among them.
std::vector<std::int64_t> some_of(Window window) {
  const std::int64_t stride = 1 + static_cast<std::int64_t>(window.size()) / 100;
  std::vector<std::int64_t> out;
  for (std::int64_t x = window.lo; x < window.hi; x += stride) out.push_back(x);
  out.push_back(window.hi);
  return out;
}

/// From just before the first to just after the last point whose value is not below `least`.
Window span_of(const std::vector<std::int64_t>& points, const std::vector<double>& values, double least) {
  const auto counts = [least](double v) { return v >= least; };
  const auto first = std::find_if(values.begin(), values.end(), counts) - values.begin();
  const auto last = values.rend() - std::find_if(values.rbegin(), values.rend(), counts) - 1;
  const auto end = static_cast<std::ptrdiff_t>(points.size()) - 1;
  return {points[static_cast<std::size_t>(std::max<std::ptrdiff_t>(first - 1, 0))],
          points[static_cast<std::size_t>(std::min(last + 1, end))]};
}

PairWindows LatentPairs::windows(double negligible) const {
  const std::vector<std::int64_t> counts = some_of(mine_.window());
  const std::vector<std::int64_t> partners = some_of(outside_.window());
  std::vector<double> best_s(counts.size(), kMinusInfinity);
  std::vector<double> best_r(partners.size(), kMinusInfinity);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double log_mine = std::log(mine_.at(counts[i]));
    for (std::size_t j = 0; j < partners.size(); ++j) {
      const std::int64_t n = counts[i] + partners[j];
      if (n > plan_.total.support().hi) break;
      const double value =
          log_mine + std::log(outside_.at(partners[j])) + log_total_weight(static_cast<double>(n));
      best_s[i] = std::max(best_s[i], value);
      best_r[j] = std::max(best_r[j], value);
    }
  }
  const auto top = std::max_element(best_s.begin(), best_s.end());
  if (*top == kMinusInfinity) return {mine_.window(), outside_.window(), mine_.lo};
  const double least = *top + std::log(negligible) - 10;
  return {span_of(counts, best_s, least), span_of(partners, best_r, least),
          counts[static_cast<std::size_t>(top - best_s.begin())]};
}

LatentCell LatentPairs::sum_pairs(const PairWindows& windows) const {
  LatentCell out;
  out.count = {windows.s.lo, std::vector<double>(windows.s.size())};
  std::vector<BetaMixture::Part> parts;
  double whole = 0;
  for (std::int64_t s = windows.s.lo; s <= windows.s.hi; ++s) {
    for (std::int64_t r = windows.r.lo; r <= windows.r.hi; ++r) {
      const double w = mine_.at(s) * outside_.at(r) * tree_.total_weight().at(s + r);
      if (!(w > 0)) continue;
      parts.push_back({w, alpha_.mine + static_cast<double>(s), alpha_.others + static_cast<double>(r)});
      out.count.weight[static_cast<std::size_t>(s - windows.s.lo)] += w;
      whole += w;
    }
  }
  for (double& p : out.count.weight) p /= whole;
  out.theta = BetaMixture(std::move(parts));
  return out;
}

/// Beta(a, b) moves with a on the scale of sqrt(a) at least, h(s + r) by e on the scale of 1 / slope.
SmoothNodes LatentPairs::nodes_of_s(const PairWindows& windows, double error) const {
  const auto least = static_cast<double>(windows.r.lo);
  const auto most = static_cast<double>(windows.r.hi);
  const auto scale = [&](double s) {
    const double rise = std::max(std::abs(slope(s + least)), std::abs(slope(s + most)));
    return std::min(std::sqrt(alpha_.mine + s), 1 / (rise + 1e-300));
  };
  return {windows.s, scale, error};
}

/// With b on the scale of b sqrt(1/a + 1/b); the ratio h(s + r) / h(middle + r) by e on the scale of
/// 1 / (reach of s * bend of log h).
SmoothNodes LatentPairs::nodes_of_r(const PairWindows& windows, double error) const {
  const double a = alpha_.mine + static_cast<double>(windows.s.hi);
  const auto reach =
      static_cast<double>(std::max(windows.middle - windows.s.lo, windows.s.hi - windows.middle) + 1);
  const auto scale = [&](double r) {
    const double b = alpha_.others + r;
    const double n = r + static_cast<double>(windows.s.lo);
    const double bend = std::abs(slope(n + 1) - slope(n));
    return std::min({b * std::sqrt(1 / a + 1 / b), b / 3, 1 / (reach * bend + 1e-300)});
  };
  return {windows.r, scale, error};
}

/// outside(r) h(middle + r), up to a factor: the part of the weight that is no smooth function joins the law
/// of r.
Message LatentPairs::side(const PairWindows& windows) const {
  const Window totals{windows.middle + windows.r.lo, windows.middle + windows.r.hi};
  const std::int64_t anchor = std::clamp(plan_.tilts.anchor, totals.lo, totals.hi);
  Message out{windows.r.lo, plan_.total.relative(totals, plan_.tilts.tilt, anchor)};
  for (std::int64_t r = windows.r.lo; r <= windows.r.hi; ++r) {
    out.weight[static_cast<std::size_t>(r - windows.r.lo)] *= outside_.at(r);
  }
  return out;
}

LatentCell LatentPairs::interpolate(const PairWindows& windows, SmoothNodes s, SmoothNodes r) const {
  const Message partners = side(windows);
  const std::int64_t most = plan_.total.support().hi;
  const std::size_t columns = r.nodes().size();
  const auto middle = static_cast<double>(windows.middle);
  // h(x + r_j) / h(middle + r_j) of each node, carried along from x to x - 1.
  std::vector<double> ratio(columns);
  for (std::size_t j = 0; j < columns; ++j) {
    const double y = r.nodes()[j];
    const double x = static_cast<double>(windows.s.hi) - middle;
    ratio[j] = std::exp(plan_.total.log_ratio(middle + x + y, middle + y) - plan_.tilts.tilt * x);
  }
  std::vector<double> row(columns);  // sum over partners r of side(r) l_j(r)
  std::vector<double> weight(columns * s.nodes().size());
  LatentCell out;
  out.count = {windows.s.lo, std::vector<double>(windows.s.size())};
  double whole = 0;
  std::int64_t next = windows.r.lo;  // partners below it are in the row
  // From the largest s down: its partners are the first ones, and each step lets one more in.
  for (std::int64_t x = windows.s.hi; x >= windows.s.lo; --x) {
    for (; next <= std::min(windows.r.hi, most - x); ++next) r.deposit(next, partners.at(next), row);
    const double mine = mine_.at(x);
    double sum = 0;
    for (std::size_t j = 0; j < columns; ++j) sum += row[j] * ratio[j];
    out.count.weight[static_cast<std::size_t>(x - windows.s.lo)] = std::max(0.0, mine * sum);
    whole += mine * sum;
    const SmoothNodes::Basis at = s.basis(x);
    for (std::size_t i = 0; i < at.values.size(); ++i) {
      double* to = weight.data() + (at.first + i) * columns;
      const double share = mine * at.values[i];
      for (std::size_t j = 0; j < columns; ++j) to[j] += share * row[j];
    }
    plan_.total.step_down(static_cast<double>(x), plan_.tilts.tilt, r.nodes(), ratio);
  }
  for (double& p : out.count.weight) p /= whole;

  std::vector<BetaMixture::Part> parts;
  for (std::size_t i = 0; i < s.nodes().size(); ++i) {
    const double x = s.nodes()[i];
    for (std::size_t j = 0; j < columns; ++j) {
      const double w = weight[i * columns + j];
      if (w == 0) continue;
      const double y = r.nodes()[j];
      const double log_ratio = plan_.total.log_ratio(x + y, middle + y) - plan_.tilts.tilt * (x - middle);
      parts.push_back({w * std::exp(log_ratio), alpha_.mine + x, alpha_.others + y});
    }
  }
  out.theta = BetaMixture(std::move(parts));
  return out;
}

}  // namespace

LatentCell make_latent_cell(const Message& mine, const Message& outside, AlphaSplit alpha,
                            const CountTree& tree) {
  const LatentPairs pairs(mine, outside, alpha, tree);
  const PairWindows windows = pairs.windows(kFine.negligible);
  if (windows.pairs() <= kFewPairs) return pairs.sum_pairs(windows);
  SmoothNodes s = pairs.nodes_of_s(windows, kFine.error);
  SmoothNodes r = pairs.nodes_of_r(windows, kFine.error);
  if (s.nodes().size() * r.nodes().size() <= kManyPairs) {
    return pairs.interpolate(windows, std::move(s), std::move(r));
  }
  const PairWindows fewer = pairs.windows(kCoarse.negligible);
  return pairs.interpolate(fewer, pairs.nodes_of_s(fewer, kCoarse.error),
                           pairs.nodes_of_r(fewer, kCoarse.error));
}

}  // namespace postern::infer
