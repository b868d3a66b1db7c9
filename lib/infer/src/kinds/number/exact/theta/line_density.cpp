#include "line_density.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

#include "numeric/gauss_legendre.hpp"
#include "panel_builder.hpp"

namespace postern::infer {
namespace {

constexpr double kStep = 1.5;   ///< most that log density changes over a cell, about
constexpr double kBend = 0.36;  ///< most that it is off a line in the middle, twice

/// Into how many cells to cut a stretch, by the log density at its ends and in the middle.
double cells_of(double first, double middle, double last) {
  const double change = std::abs(middle - first) + std::abs(last - middle);
  const double bend = std::abs(first - 2 * middle + last);
  return std::clamp(std::ceil(std::max(change / kStep, std::sqrt(bend / kBend))), 1.0, 256.0);
}

}  // namespace

double LineDensity::Panel::log_at(double z) const {
  // Clenshaw's recurrence.
  const double x = (2 * z - lo - hi) / (hi - lo);
  double b1 = 0;
  double b2 = 0;
  for (std::size_t k = coefficient.size() - 1; k > 0; --k) {
    const double b0 = coefficient[k] + 2 * x * b1 - b2;
    b2 = b1;
    b1 = b0;
  }
  return coefficient[0] + x * b1 - b2;
}

LineDensity::LineDensity(const LogDensity& log_density, const Line& line, int threads) : line_(line) {
  PanelBuilder builder(log_density, line, threads);
  builder.run();
  top_ = builder.top();
  for (const auto& fitted : builder.accepted()) panels_.push_back({fitted.lo, fitted.hi, fitted.coefficient});
  if (panels_.empty() || !std::isfinite(top_))
    throw Error(ErrorCode::engine_limit, {"the posterior is too far from anything that the prior allows for "
                                          "double precision; look at the releases and the prior"});
  make_cells();
}

void LineDensity::add_tail(bool left) {
  const Panel& panel = left ? panels_.front() : panels_.back();
  const double end = left ? line_.lowest : line_.highest;
  if ((left ? panel.lo : panel.hi) != end) return;
  const double inside = end + (left ? 1 : -1) * std::min(0.5, panel.hi - panel.lo);
  const double slope = (panel.log_at(end) - panel.log_at(inside)) / (end - inside);
  if (left ? !(slope > 0) : !(slope < 0)) return;
  cells_.push_back({left ? end - 60 / slope : end, left ? end : end - 60 / slope,
                    left ? 0 : panels_.size() - 1, slope, 0, 0});
}

/// Stretches between as many places as the panel has nodes, each in cells.
void LineDensity::cut_panel(std::size_t p) {
  const Panel& panel = panels_[p];
  const auto stretches = static_cast<double>(panel.coefficient.size() - 1);
  const double width = (panel.hi - panel.lo) / stretches;
  double lo = panel.lo;
  double first = panel.log_at(lo);
  for (double k = 1; k <= stretches; ++k) {
    const double from = lo;
    const double end = k == stretches ? panel.hi : panel.lo + width * k;
    const double last = panel.log_at(end);
    const double count = cells_of(first, panel.log_at(0.5 * (from + end)), last);
    for (double c = 1; c <= count; ++c) {
      const double hi = c == count ? end : from + (end - from) * (c / count);
      cells_.push_back({lo, hi, p, 0, 0, 0});
      lo = hi;
    }
    first = last;
  }
}

void LineDensity::make_cells() {
  add_tail(true);
  for (std::size_t p = 0; p < panels_.size(); ++p) cut_panel(p);
  add_tail(false);
  double sum = 0;
  std::vector<double> weight;
  for (Cell& cell : cells_) {
    cell.mass = partial(cell, cell.hi);
    cell.below = sum;
    sum += cell.mass;
  }
  if (!(sum > 0) || !std::isfinite(sum))
    throw Error(ErrorCode::engine_limit,
                {"the exact posterior is too narrow for double precision; look at the "
                 "releases and the prior"});
  for (Cell& cell : cells_) {
    cell.below /= sum;
    cell.mass /= sum;
    weight.push_back(cell.mass);
  }
  log_integral_ = top_ + std::log(sum);
  choose_ = InverseCdf(weight);
}

double LineDensity::density(const Cell& cell, double z) const {
  const Panel& panel = panels_[cell.panel];
  if (cell.tail != 0) {
    const double end = cell.tail > 0 ? cell.hi : cell.lo;
    return std::exp(panel.log_at(end) - top_ + cell.tail * (z - end));
  }
  return std::exp(panel.log_at(z) - top_);
}

/// The mass of a cell below z, relative to e^top.
double LineDensity::partial(const Cell& cell, double z) const {
  if (cell.tail != 0) return (density(cell, z) - density(cell, cell.lo)) / cell.tail;
  const double half = 0.5 * (z - cell.lo);
  double sum = 0;
  for (const auto& [place, weight] : kCellNodes) sum += weight * density(cell, cell.lo + half * (1 + place));
  return half * sum;
}

/// Where the mass of a cell below reaches `mass` of 1.
double LineDensity::solve(const Cell& cell, double mass) const {
  const double target = mass * std::exp(log_integral_ - top_);
  double lo = cell.lo;
  double hi = cell.hi;
  double z = lo + (hi - lo) * std::clamp(mass / cell.mass, 0.0, 1.0);
  for (int step = 0; step < 100; ++step) {
    const double error = partial(cell, z) - target;
    (error > 0 ? hi : lo) = z;
    double next = z - error / density(cell, z);
    if (!(next >= lo && next <= hi)) next = lo + 0.5 * (hi - lo);
    const bool done = std::abs(next - z) <= 1e-14 * std::abs(z) || std::abs(error) <= 1e-15 * target;
    z = next;
    if (done) break;
  }
  return z;
}

double LineDensity::cdf(double z) const {
  const auto after =
      std::upper_bound(cells_.begin(), cells_.end(), z, [](double v, const Cell& c) { return v < c.lo; });
  if (after == cells_.begin()) return 0;
  const Cell& cell = *(after - 1);
  if (z >= cell.hi) return std::min(cell.below + cell.mass, 1.0);
  return std::min(cell.below + partial(cell, z) * std::exp(top_ - log_integral_), 1.0);
}

double LineDensity::quantile(double p) const {
  const auto after =
      std::upper_bound(cells_.begin(), cells_.end(), p, [](double v, const Cell& c) { return v < c.below; });
  const Cell& cell = after == cells_.begin() ? cells_.front() : *(after - 1);
  return solve(cell, std::min(p - cell.below, cell.mass));
}

double LineDensity::draw(Rng& rng) const {
  const Cell& cell = cells_[choose_.draw(rng)];
  return solve(cell, rng.uniform() * cell.mass);
}

void LineDensity::each_point(const std::function<void(double z, double mass)>& visit) const {
  const double scale = std::exp(top_ - log_integral_);
  for (const Cell& cell : cells_) {
    if (cell.tail != 0) {
      visit(cell.tail > 0 ? cell.hi : cell.lo, cell.mass);
      continue;
    }
    const double half = 0.5 * (cell.hi - cell.lo);
    for (const auto& [place, weight] : kCellNodes) {
      const double z = cell.lo + half * (1 + place);
      visit(z, half * weight * density(cell, z) * scale);
    }
  }
}

double LineDensity::expect(const std::function<double(double)>& f) const {
  double sum = 0;
  each_point([&](double z, double mass) { sum += mass * f(z); });
  return sum;
}

}  // namespace postern::infer
