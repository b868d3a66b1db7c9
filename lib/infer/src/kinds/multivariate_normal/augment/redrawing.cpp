#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/infer/kinds/multivariate_normal/augment/chain.hpp"

#include "augment/record_kernels.hpp"

// (mu, Sigma) and all records move by one affine map, x -> G (x - mu) + mu', Sigma -> G Sigma G^T: given
// (mu, Sigma) the records have their law before and after, so prior and noise decide. The maps of one column
// are groups whose steps are as likely forwards as backwards. The step of all columns leaves the prior as it
// is, and so the noise alone decides.

namespace postern::infer {
namespace {

constexpr double kFarthest = 1e120;

double within(double x) { return std::min(std::max(x, -kFarthest), kFarthest); }

bool sane(const MeanAndSpread& theta, std::size_t d) {
  for (std::size_t i = 0; i < d; ++i) {
    if (!(std::abs(theta.mean[i]) < kFarthest)) return false;
    for (std::size_t j = 0; j <= i; ++j) {
      if (!(std::abs(theta.factor(i, j)) < kFarthest)) return false;
    }
    if (!(theta.factor(i, i) > 1 / kFarthest)) return false;
  }
  return true;
}

}  // namespace

VectorChain::ColumnMove VectorChain::shifted(const MeanAndSpread& from, std::size_t column, double by) const {
  ColumnMove out{column, 1, column, 0, by, 0, from};
  out.theta.mean[column] += by;
  return out;
}

/// About the column's mean, or about a point that does not depend on it: then mu is stretched as well.
VectorChain::ColumnMove VectorChain::stretched(const MeanAndSpread& from, std::size_t column, double by,
                                               double about) const {
  const double slope = std::exp(by);
  ColumnMove out{column, slope, column, 0, about * (1 - slope), 0, from};
  for (std::size_t j = 0; j <= column; ++j) out.theta.factor(column, j) *= slope;
  if (about != from.mean[column]) {
    out.theta.mean[column] = about + slope * (from.mean[column] - about);
    out.log_jacobian = by;
  }
  return out;
}

VectorChain::ColumnMove VectorChain::leaning(const MeanAndSpread& from, std::size_t column, std::size_t other,
                                             double by) const {
  ColumnMove out{column, 1, other, by, -by * from.mean[other], 0, from};
  for (std::size_t j = 0; j <= other; ++j) out.theta.factor(column, j) += by * from.factor(other, j);
  if (other > column) out.theta.factor = triangular(out.theta.factor, d_);
  return out;
}

double VectorChain::max_log_gain(const State& state) const {
  double sum = 0;
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    const VectorTotals& totals = state.sets[s].totals;
    sum += sets_[s].noise.max_log_gain(totals.n, totals);
  }
  return sum;
}

/// The totals afterwards. In batches, which stay near to the processor.
VectorTotals VectorChain::moved(const ColumnMove& move, const Set& set, Records& records) const {
  constexpr std::size_t kBatch = 512;
  static const RecordKernels& kernels = record_kernels();
  const std::size_t c = move.column;
  const ColumnMap map{move.slope, move.lean, move.shift, kFarthest};
  records.other_x[c].resize(records.size());
  records.other_k[c].resize(records.size());
  std::int64_t sum = 0;
  std::array<std::int64_t, kMostColumns> products{};
  for (std::size_t start = 0; start < records.size(); start += kBatch) {
    const std::size_t size = std::min(kBatch, records.size() - start);
    double* x = records.other_x[c].data() + start;
    std::int32_t* k = records.other_k[c].data() + start;
    kernels.map_column(map, records.x[c].data() + start, records.x[move.other].data() + start, x, size);
    set.finders[c].adds({x, size}, k);
    sum += kernels.sum(k, size);
    for (std::size_t j = 0; j < d_; ++j)
      products[j] += kernels.sum_products(k, j == c ? k : records.k[j].data() + start, size);
  }
  VectorTotals out = records.totals;
  out.sum[c] = static_cast<double>(sum);
  for (std::size_t j = 0; j < d_; ++j)
    out.sum[d_ + packed(std::min(c, j), std::max(c, j), d_)] = static_cast<double>(products[j]);
  return out;
}

bool VectorChain::try_column(State& state, const ColumnMove& move, double log_u) const {
  // What no sums could repair needs no records.
  const double largest = std::max({move.slope, std::abs(move.lean), std::abs(move.shift)});
  if (!sane(move.theta, d_) || !(largest < kFarthest) || !(log_u < max_log_gain(state))) return false;
  std::vector<VectorTotals>& next = state.next;
  double ratio = 0;
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    next[s] = moved(move, sets_[s], state.sets[s]);
    ratio += sets_[s].noise.log_ratio(next[s], state.sets[s].totals);
  }
  if (!(log_u < ratio)) return false;
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    std::swap(state.sets[s].x[move.column], state.sets[s].other_x[move.column]);
    std::swap(state.sets[s].k[move.column], state.sets[s].other_k[move.column]);
    state.sets[s].totals = next[s];
  }
  state.theta = move.theta;
  return true;
}

bool VectorChain::try_all(State& state, const MeanAndSpread& theta, double log_u) const {
  if (!sane(theta, d_) || !(log_u < max_log_gain(state))) return false;
  Square map;  // theta.factor state.theta.factor^-1
  for (std::size_t i = 0; i < d_; ++i) {
    for (std::size_t j = i + 1; j-- > 0;) {
      double rest = theta.factor(i, j);
      for (std::size_t k = j + 1; k <= i; ++k) rest -= map(i, k) * state.theta.factor(k, j);
      map(i, j) = rest / state.theta.factor(j, j);
      if (!(std::abs(map(i, j)) < kFarthest)) return false;
    }
  }
  std::vector<VectorTotals>& next = state.next;
  double ratio = 0;
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    Records& records = state.sets[s];
    const std::size_t n = records.size();
    for (std::size_t i = 0; i < d_; ++i) {
      records.other_x[i].assign(n, theta.mean[i]);
      records.other_k[i].resize(n);
      double* x = records.other_x[i].data();
      for (std::size_t j = 0; j <= i; ++j) {
        const double* from = records.x[j].data();
        for (std::size_t r = 0; r < n; ++r) x[r] += map(i, j) * (from[r] - state.theta.mean[j]);
      }
      std::int32_t* k = records.other_k[i].data();
      for (std::size_t r = 0; r < n; ++r) x[r] = within(x[r]);
      sets_[s].finders[i].adds({x, n}, k);
    }
    next[s] = add_up(records.other_k, 0, n);
    ratio += sets_[s].noise.log_ratio(next[s], records.totals);
  }
  if (!(log_u < ratio)) return false;
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    std::swap(state.sets[s].x, state.sets[s].other_x);
    std::swap(state.sets[s].k, state.sets[s].other_k);
    state.sets[s].totals = next[s];
  }
  state.theta = theta;
  return true;
}

/// A few sizes of steps about the tuned one: no posterior is so odd that none fits.
double VectorChain::draw_step(const State& state, std::size_t move, Rng& rng) const {
  return std::exp(state.tuning.log_scale[move] + 2 * (rng.uniform() - 0.6)) * draw_normal(rng);
}

void VectorChain::move_column(State& state, std::size_t move, const ColumnMove& next, Rng& rng) const {
  const double prior =
      state.law.log_weight(next.theta) - state.law.log_weight(state.theta) + next.log_jacobian;
  const bool accepted = try_column(state, next, std::log(rng.uniform()) - prior);
  if (state.tuning.steps == kTuning) return;
  double& log_scale = state.tuning.log_scale[move];
  log_scale += 20.0 / (20 + state.tuning.steps) * ((accepted ? 1 : 0) - 0.35);
  log_scale = std::clamp(log_scale, -30.0, 30.0);
}

/// The size of its step is the logarithm of the number of imagined records.
void VectorChain::move_all(State& state, Rng& rng) const {
  constexpr double kFromPrior = 0.1;  // share of proposals
  const double log_u = std::log(rng.uniform());
  double& log_records = state.tuning.log_scale[kMoves - 1];
  const bool afresh = rng.uniform() < kFromPrior;
  const double records = afresh ? 0 : std::exp(log_records + 4 * (rng.uniform() - 0.4));
  const bool accepted = try_all(state, state.law.nearby(state.theta, records, rng), log_u);
  if (afresh || state.tuning.steps == kTuning) return;
  log_records -= 40.0 / (20 + state.tuning.steps) * ((accepted ? 1 : 0) - 0.3);
  log_records = std::clamp(log_records, -5.0, 30.0);
}

/// Where most records are clamped, only their shares at the bounds are seen: a stretch about a bound, or
/// about a point between them, leaves one of those shares as it is.
void VectorChain::redraw(State& state, Rng& rng) const {
  constexpr std::size_t kLeans = 2;  // a column
  state.next.resize(sets_.size());
  for (std::size_t i = 0; i < d_; ++i) {
    move_column(state, i, shifted(state.theta, i, draw_step(state, i, rng)), rng);
    std::size_t move = kMostColumns + i;
    const double by = draw_step(state, move, rng);
    move_column(state, move, stretched(state.theta, i, by, state.theta.mean[i]), rng);
    move += kMostColumns;
    const double about = std::clamp(2 * (rng.uniform() - 0.5), -0.5, 0.5);
    move_column(state, move, stretched(state.theta, i, draw_step(state, move, rng), about), rng);
    for (std::size_t l = 0; l < kLeans && d_ > 1; ++l) {
      std::size_t other = draw_below(d_ - 1, rng);
      other += other >= i ? 1 : 0;
      move = (3 + i) * kMostColumns + other;
      move_column(state, move, leaning(state.theta, i, other, draw_step(state, move, rng)), rng);
    }
  }
  move_all(state, rng);
}

}  // namespace postern::infer
