#include "cell_mixture.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

#include "numeric/smooth_nodes.hpp"

namespace postern::infer {
namespace {

/// How far a mixture may be from the sum that defines it.
struct Accuracy {
  double error = 1e-12;       ///< of the cdf
  double negligible = 1e-18;  ///< probabilities below this part of the largest are left out
};
constexpr Accuracy kAccuracies[] = {{1e-12, 1e-18}, {1e-8, 1e-12}};

/// The part of a message that is not negligible, as a window.
Window worth_summing(const Message& message, double negligible) {
  const double largest = *std::max_element(message.weight.begin(), message.weight.end());
  const auto counts = [&](double w) { return w > negligible * largest; };
  const auto first = std::find_if(message.weight.begin(), message.weight.end(), counts);
  const auto last = std::find_if(message.weight.rbegin(), message.weight.rend(), counts);
  return {message.lo + (first - message.weight.begin()),
          message.window().hi - (last - message.weight.rbegin())};
}

void scale_to_one(Message& message) {
  double whole = 0;
  for (const double w : message.weight) whole += w;
  for (double& w : message.weight) w /= whole;
}

struct PairWindows {
  Window s;
  Window r;
  std::int64_t middle = 0;  ///< an s of large weight
};

class Pairs {
 public:
  Pairs(const Message& mine, const Message& outside, AlphaSplit alpha, const CountTree& tree)
      : mine_(mine), outside_(outside), alpha_(alpha), tree_(tree), plan_(tree.plan()) {}

  /// The totals worth summing, in multiples of the pitch.
  [[nodiscard]] Window totals() const { return worth_summing(tree_.totals(), kAccuracies[0].negligible); }
  /// A row of counts for each of these totals.
  [[nodiscard]] CellPosterior by_total(Window totals) const;

  /// The counts and partners worth summing: those whose best pair is not negligible, on a coarse grid, with
  /// room to spare.
  [[nodiscard]] PairWindows windows(double negligible) const;
  /// Nodes of r on a scale that is `stretch` times what each Beta by itself would need.
  [[nodiscard]] SmoothNodes nodes_of_r(const PairWindows& windows, double error, double stretch) const;
  /// A row of counts for each node of r.
  [[nodiscard]] CellPosterior by_partner(const PairWindows& windows, SmoothNodes r) const;

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

CellPosterior Pairs::by_total(Window totals) const {
  CellPosterior out;
  out.count = {mine_.lo, std::vector<double>(mine_.weight.size())};
  std::vector<BetaRow> rows;
  for (std::int64_t k = totals.lo; k <= totals.hi; ++k) {
    const std::int64_t n = tree_.pitch() * k;
    const Window rest = outside_.window();
    const Window s = intersect(mine_.window(), {n - rest.hi, n - rest.lo});
    if (s.empty()) continue;
    BetaRow row{alpha_.mine + static_cast<double>(s.lo), alpha_.others + static_cast<double>(n - s.lo),
                BetaRow::Keeps::sum, std::vector<double>(s.size())};
    const double weight = tree_.total_weight().at(k);
    const double* mine = mine_.weight.data() + (s.lo - mine_.lo);
    const double* others = outside_.weight.data() + (n - s.lo - outside_.lo);
    double* count = out.count.weight.data() + (s.lo - mine_.lo);
    for (std::size_t i = 0; i < row.weight.size(); ++i) {
      row.weight[i] = weight * mine[i] * *(others - i);
      count[i] += row.weight[i];
    }
    rows.push_back(std::move(row));
  }
  out.theta = BetaMixture(std::move(rows));
  scale_to_one(out.count);
  return out;
}

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

PairWindows Pairs::windows(double negligible) const {
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

/// Beta(a, b) moves with b on the scale of b sqrt(1/a + 1/b); the ratio h(s + r) / h(middle + r) by e on the
/// scale of 1 / (reach of s * bend of log h).
SmoothNodes Pairs::nodes_of_r(const PairWindows& windows, double error, double stretch) const {
  const double a = alpha_.mine + static_cast<double>(windows.s.hi);
  const auto reach =
      static_cast<double>(std::max(windows.middle - windows.s.lo, windows.s.hi - windows.middle) + 1);
  const auto scale = [&](double r) {
    const double b = alpha_.others + r;
    const double n = r + static_cast<double>(windows.s.lo);
    const double bend = std::abs(slope(n + 1) - slope(n));
    return std::min({stretch * b * std::sqrt(1 / a + 1 / b), b / 3, stretch / (reach * bend + 1e-300)});
  };
  return {windows.r, scale, error};
}

/// outside(r) h(middle + r), up to a factor: the part of the weight that is no smooth function joins the law
/// of r.
Message Pairs::side(const PairWindows& windows) const {
  const Window totals{windows.middle + windows.r.lo, windows.middle + windows.r.hi};
  const std::int64_t anchor = std::clamp(plan_.tilts.anchor, totals.lo, totals.hi);
  Message out{windows.r.lo, plan_.total.relative(totals, plan_.tilts.tilt, anchor)};
  for (std::int64_t r = windows.r.lo; r <= windows.r.hi; ++r) {
    out.weight[static_cast<std::size_t>(r - windows.r.lo)] *= outside_.at(r);
  }
  return out;
}

CellPosterior Pairs::by_partner(const PairWindows& windows, SmoothNodes r) const {
  const Message partners = side(windows);
  const std::int64_t most = plan_.total.support().hi;
  const std::vector<double>& nodes = r.nodes();
  // h(x + r_j) e^{-tilt x} relative to x = middle, carried along from x to x - 1.
  std::vector<double> ratio;
  std::vector<BetaRow> rows;
  const auto above = static_cast<double>(windows.s.hi - windows.middle);
  for (const double y : nodes) {
    const double from = static_cast<double>(windows.middle) + y;
    ratio.push_back(std::exp(plan_.total.log_ratio(from + above, from) - plan_.tilts.tilt * above));
    rows.push_back({alpha_.mine + static_cast<double>(windows.s.lo), alpha_.others + y, BetaRow::Keeps::b,
                    std::vector<double>(windows.s.size())});
  }
  CellPosterior out;
  out.count = {windows.s.lo, std::vector<double>(windows.s.size())};
  // Sum over the partners r that are let in of side(r) l_j(r), for each remainder of r by itself.
  const std::int64_t multiple = plan_.total.multiple();
  std::vector<std::vector<double>> shares(static_cast<std::size_t>(multiple),
                                          std::vector<double>(nodes.size()));
  const auto share_of = [&](std::int64_t r_class) -> std::vector<double>& {
    return shares[static_cast<std::size_t>(r_class % multiple)];
  };
  std::int64_t next = windows.r.lo;
  // From the largest s down: its partners are the first ones, and each step lets one more in.
  for (std::int64_t x = windows.s.hi; x >= windows.s.lo; --x) {
    for (; next <= std::min(windows.r.hi, most - x); ++next) {
      r.deposit(next, partners.at(next), share_of(next));
    }
    const std::vector<double>& share = share_of(multiple - x % multiple);
    const double mine = mine_.at(x);
    const auto i = static_cast<std::size_t>(x - windows.s.lo);
    double sum = 0;
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      const double w = mine * share[j] * ratio[j];
      rows[j].weight[i] = w;
      sum += w;
    }
    out.count.weight[i] = std::max(0.0, sum);
    plan_.total.step_down(static_cast<double>(x), plan_.tilts.tilt, nodes, ratio);
  }
  out.theta = BetaMixture(std::move(rows));
  scale_to_one(out.count);
  return out;
}

}  // namespace

CellPosterior make_cell_posterior(const Message& mine, const Message& outside, AlphaSplit alpha,
                                  const CountTree& tree, Size size) {
  const Pairs pairs(mine, outside, alpha, tree);
  const Window totals = pairs.totals();
  // Betas a cell may take: a few megabytes for few cells, less for many.
  const bool generous = size == Size::generous;
  const std::size_t all = std::size_t{1} << (generous ? 26 : 24);
  const std::size_t most = std::clamp<std::size_t>(all / tree.cells(), 1 << 15, generous ? 1 << 24 : 1 << 19);
  if (totals.size() <= 16 || totals.size() * mine.weight.size() <= most) return pairs.by_total(totals);
  for (double stretch = 1;; stretch *= 2) {
    for (const Accuracy& accuracy : kAccuracies) {
      const PairWindows windows = pairs.windows(accuracy.negligible);
      SmoothNodes r = pairs.nodes_of_r(windows, accuracy.error, stretch);
      const bool fits = windows.s.size() * r.nodes().size() <= most;
      if (!fits && stretch <= 1e6) continue;
      CellPosterior out = pairs.by_partner(windows, std::move(r));
      out.rough = stretch > 1;
      return out;
    }
  }
}

}  // namespace postern::infer
