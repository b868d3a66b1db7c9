#include "count_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "postern/core/error.hpp"

#include "counts/cell_windows.hpp"

namespace postern::infer {
namespace {

std::vector<Cell> make_cells(const CountProblem& problem, std::int64_t most) {
  std::vector<Cell> cells;
  cells.reserve(problem.alpha.size());
  for (std::size_t k = 0; k < problem.alpha.size(); ++k) {
    cells.emplace_back(problem.alpha[k], problem.noisy_values[k], most);
  }
  return cells;
}

double sum(const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0); }

}  // namespace

Window CountPlan::window_of(const Cell& cell, double nats) const {
  Window all{total.support().hi, 0};
  for (const TailBound& bound : tilts.bounds) {
    const Window one = cell.window(bound.tilt, std::max(nats - bound.drop, 0.0));
    all = {std::min(all.lo, one.lo), std::max(all.hi, one.hi)};
  }
  if (tilts.excess > kMuchExcess) {
    const Window one = cell.window(tilts.tilt, nats);
    all = {std::min(all.lo, one.lo), std::max(all.hi, one.hi)};
  }
  if (tilts.totals.lo == 0) all.lo = 0;
  return all;
}

CountPlan::CountPlan(const CountProblem& problem, double nats)
    : total(sum(problem.alpha), problem.total, problem.multiple) {
  cells = make_cells(problem, total.support().hi);
  tilts = plan_tilts(cells, total, nats + 6);
  windows = cell_windows(cells, tilts.totals, nats,
                         [this](const Cell& cell, double depth) { return window_of(cell, depth); });
  if (tilts.excess > kMuchExcess) care = Care::of_each;
  for (const TailBound& bound : tilts.bounds) {
    if (bound.drop < nats) cuts.push_back({bound.tilt - tilts.tilt, std::exp(bound.drop - nats)});
  }
}

CountForecast CountPlan::forecast() const {
  CountForecast out;
  // Level by level, as the tree will be: a message is as wide as its parts together, but no wider than the
  // widest of its leaves and some ten standard deviations of its sum.
  std::vector<double> width;
  std::vector<double> leaf;
  std::vector<double> variance;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    width.push_back(static_cast<double>(windows[k].size()));
    variance.push_back(cells[k].moments(tilts.tilt).variance);
  }
  leaf = width;
  const double leaves = sum(width);
  double doubles = 3 * leaves;  // weights, probabilities of counts, mixture
  double widest = *std::max_element(width.begin(), width.end());
  const auto totals = static_cast<double>(tilts.totals.size());
  while (width.size() > 1) {
    std::size_t next = 0;
    for (std::size_t i = 0; i + 1 < width.size(); i += 2, ++next) {
      const double apart = width[i] + width[i + 1];
      out.operations += 40 * apart * std::log2(apart + 2);
      variance[next] = variance[i] + variance[i + 1];
      leaf[next] = std::max(leaf[i], leaf[i + 1]);
      width[next] = std::min(apart, leaf[next] + 20 * std::sqrt(variance[next]));
      doubles += width.size() == 2 ? totals : width[next];
      widest = std::max(widest, width[next]);
    }
    if (width.size() % 2 == 1) {
      width[next] = width.back();
      leaf[next] = leaf.back();
      variance[next] = variance.back();
      ++next;
    }
    width.resize(next);
    leaf.resize(next);
    variance.resize(next);
  }
  // Messages from outside, one a level on the way down, and the transform's work space.
  const double outside = totals > 1 ? std::min(totals, 2 * widest) + widest : widest;
  const double depth = std::log2(static_cast<double>(cells.size())) + 1;
  doubles += 2 * depth * outside + 8 * outside;
  out.operations += static_cast<double>(cells.size()) * 80 * outside * std::log2(outside + 2);
  if (care == Care::of_each) out.operations *= 6;
  out.bytes = 8 * doubles;
  return out;
}

void check_problem(const CountProblem& problem) {
  const auto refuse = [](Piece why) { throw Error(ErrorCode::bad_value, {"a count posterior ", why}); };
  if (problem.alpha.empty()) refuse("needs at least one cell");
  if (problem.noisy_values.size() != problem.alpha.size()) refuse("needs one list of noisy values a cell");
  for (const double alpha : problem.alpha) {
    if (!(alpha > 0) || !std::isfinite(alpha)) refuse("needs every alpha positive and finite");
  }
  for (const auto& noisy_values : problem.noisy_values) {
    for (const NoisyValue& noisy_value : noisy_values) {
      if (!std::isfinite(noisy_value.y)) refuse("needs every released value finite");
    }
  }
  if (const auto* known = std::get_if<KnownTotal>(&problem.total)) {
    if (known->n < 0 || known->n > kMostCounted) refuse("needs n in 0..2^40");
  } else {
    const auto& latent = std::get<LatentTotal>(problem.total);
    if (latent.at_most < 0 || latent.at_most > kMostCounted) refuse("needs the bound on n in 0..2^40");
    if (!std::isfinite(latent.log_slope)) refuse("needs a finite slope of the prior of n");
    if (problem.multiple < 1) refuse("needs totals to be multiples of a positive number");
  }
}

std::string human_bytes(double bytes) {
  static constexpr const char* kUnits[] = {" B", " KiB", " MiB", " GiB", " TiB", " PiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(kUnits)) {
    bytes /= 1024;
    ++unit;
  }
  const long long tenths = std::llround(std::min(bytes, 1e12) * 10);
  std::string text = std::to_string(tenths / 10);
  if (unit > 0) text.append(1, '.').append(std::to_string(tenths % 10));
  return text.append(kUnits[unit]);
}

}  // namespace postern::infer
