#include "network/row_message.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

#include "counts/cell_windows.hpp"
#include "counts/tilt.hpp"
#include "counts/total_weight.hpp"

namespace postern::infer {
std::vector<Cell> cells_of(const CptRow& row, std::int64_t most) {
  std::vector<Cell> cells;
  cells.reserve(row.alpha.size());
  for (std::size_t k = 0; k < row.alpha.size(); ++k)
    cells.emplace_back(row.alpha[k], row.noisy_values[k], most);
  return cells;
}

namespace {

/// The factor N! Gamma(alpha_0) / Gamma(N + alpha_0) is that of a table whose total has a flat prior.
TotalWeight flat_total(const CptRow& row, std::int64_t most) {
  return {std::accumulate(row.alpha.begin(), row.alpha.end(), 0.0), LatentTotal{most, 0}};
}

SumShape tabulated(SumShape shape) {
  shape.tabulates = true;
  return shape;
}

}  // namespace

/// All that the message is made of: the tilt is in the shape.
struct RowMessage::Parts {
  std::vector<Cell> cells;
  TotalWeight total;
  SumShape shape;
  std::int64_t anchor = 0;
  double cut = 0;  ///< of the product law, that windows and trimming may have dropped
  std::span<const Bound> bounds;
};

RowMessage::RowMessage(Parts parts) : tree_(parts.cells, tabulated(parts.shape), 1) {
  weigh(parts);
  const auto anchor = static_cast<double>(parts.anchor);
  const auto most = static_cast<double>(parts.total.support().hi);
  log_constant_ =
      tree_.log_leaf_mass() + parts.total.log_at(anchor) + std::log1p(most) - tree_.shape().tilt * anchor;
  for (const Cell& cell : parts.cells) log_constant_ += cell.log_constant();
}

/// Where cuts and transforms leave a weight in doubt, it is taken as large as it may be.
void RowMessage::weigh(const Parts& parts) {
  const Message& root = tree_.root();
  const double tilt = tree_.shape().tilt;
  const double doubt = tree_.error() + parts.cut;
  const Window totals = tree_.shape().totals;
  const Window window = doubt > 0 ? totals : intersect(root.window(), totals);
  const auto anchor = static_cast<double>(parts.anchor);
  lo_ = window.lo;
  log_weight_.reserve(window.size());
  if (doubt > 0) errors_.reserve(window.size());
  for (std::int64_t n = window.lo; n <= window.hi; ++n) {
    const auto x = static_cast<double>(n);
    const double weight = root.at(n);
    double log_weight = std::log(weight);
    if (doubt > 0) {
      double log_doubt = std::log(doubt);
      double most = std::numeric_limits<double>::infinity();
      if (weight < 1e4 * doubt) {
        for (const Bound& bound : parts.bounds)
          most = std::min(most, bound.height - bound.tilt * (x - bound.total));
        most += tilt * x - tree_.log_leaf_mass() + 1;  // a nat for the accuracy of the bounds themselves
      }
      log_doubt = std::min(log_doubt, most);
      log_weight = std::max(std::min(log_weight, most), log_doubt);
      errors_.push_back(std::exp(log_doubt - log_weight));
    }
    log_weight_.push_back(log_weight + parts.total.log_ratio(x, anchor) - tilt * (x - anchor));
  }
}

RowMessage::RowMessage(const CptRow& row, const View& view)
    : RowMessage([&] {
        Parts parts{cells_of(row, view.most), flat_total(row, view.most), {}, 0, 0, view.bounds};
        SumShape& shape = parts.shape;
        shape.totals = view.totals;
        shape.care = view.care;
        shape.tilt = view.tilt;
        shape.windows = cell_windows(parts.cells, view.totals, shape.tilt, view.nats);
        const double share = std::exp(-view.nats);
        if (share > 0) shape.cuts = {{0, share}};
        parts.anchor = view.anchor;
        parts.cut = share * 2 * static_cast<double>(parts.cells.size());
        return parts;
      }()) {}

RowMessage RowMessage::everywhere(const CptRow& row, std::int64_t most, double depth) {
  Parts parts{cells_of(row, most), flat_total(row, most), {}, 0, 0, {}};
  const TiltPlan tilts = plan_tilts(parts.cells, parts.total, depth);
  constexpr double kMostExcess = 600;  // nats between numbers of one message; a double holds 700
  if (tilts.excess + depth > kMostExcess) {
    throw Error(ErrorCode::engine_limit,
                {"what a row of the network says about its total does not fit the range of a double; declare "
                 "a smaller bound on n, or release with a larger budget"});
  }
  SumShape& shape = parts.shape;
  shape.tilt = tilts.tilt;
  shape.totals = tilts.totals;
  shape.care = Care::of_each;
  shape.windows = cell_windows(parts.cells, tilts.totals, tilts.tilt, depth + tilts.excess + 40);
  parts.anchor = tilts.anchor;
  return RowMessage(std::move(parts));
}

double RowMessage::log_at(std::int64_t total) const {
  const Window all = window();
  const auto at = [&](std::int64_t n) { return log_weight_[static_cast<std::size_t>(n - lo_)]; };
  if (all.contains(total)) return at(total);
  if (all.empty()) return kMinusInfinity;
  const std::int64_t end = std::clamp(total, all.lo, all.hi);
  const double slope = all.size() == 1 ? 1 : (end == all.lo ? at(end + 1) - at(end) : at(end - 1) - at(end));
  return at(end) - std::max(slope, 1e-3) * std::abs(static_cast<double>(total - end));
}

}  // namespace postern::infer
