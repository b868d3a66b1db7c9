#include "postern/assess/bounds/kl_loss.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "postern/assess/bounds/dirichlet_kl.hpp"
#include "postern/assess/bounds/noise_bound.hpp"

#include "domain.hpp"
#include "stretch.hpp"

namespace postern::assess {
namespace {

constexpr std::size_t kMostCorners = 16;  // 2^16 of them

void check(const HypotheticalRow& row, std::int64_t records) {
  if (row.alpha.size() < 2 || row.alpha.size() != row.counts.size())
    throw Error(ErrorCode::usage, {"a row has one prior parameter for each count, and at least two"});
  for (const double alpha : row.alpha) check_positive(alpha);
  for (const std::int64_t count : row.counts) {
    if (records < 1 || count < 0 || count > records)
      throw Error(ErrorCode::usage,
                  {"a supposed count lies between 0 and a number of records that is not 0"});
  }
}

/// What cell k adds to the loss when its count becomes z.
double cell_loss(const HypotheticalRow& row, std::size_t k, double z) {
  const auto count = static_cast<double>(row.counts[k]);
  return gamma_divergence(row.alpha[k] + z, row.alpha[k] + count);
}

/// What the row's sum takes from the loss when it becomes `sum`.
double sum_loss(const HypotheticalRow& row, double sum) {
  const double prior = std::accumulate(row.alpha.begin(), row.alpha.end(), 0.0);
  const auto count =
      static_cast<double>(std::accumulate(row.counts.begin(), row.counts.end(), std::int64_t{0}));
  return gamma_divergence(prior + sum, prior + count);
}

double expectation(const Stretch& weights, const std::vector<double>& values) {
  return std::inner_product(weights.weight.begin(), weights.weight.end(), values.begin(), 0.0);
}

/// A row's cells, each with its law and its loss there.
struct Cells {
  std::vector<ClippedCount> law;
  std::vector<Stretch> pmf;
  std::vector<std::vector<double>> loss;
};
Cells cells_of(const HypotheticalRow& row, const ClippedNoise& noise) {
  Cells out;
  for (std::size_t k = 0; k < row.counts.size(); ++k) {
    out.law.emplace_back(row.counts[k], noise.records, noise.rate);
    out.pmf.push_back(pmf_stretch(out.law.back()));
    auto& loss = out.loss.emplace_back();
    for (std::int64_t z = out.pmf.back().from; z <= out.pmf.back().to(); ++z)
      loss.push_back(cell_loss(row, k, static_cast<double>(z)));
  }
  return out;
}

/// Weights by the row's sum of: cell k's pmf, times its loss if `weigh`, and the pmfs of all other cells.
Stretch by_sum(const Cells& cells, std::size_t k, bool weigh) {
  Stretch out = cells.pmf[k];
  if (weigh)
    std::transform(out.weight.begin(), out.weight.end(), cells.loss[k].begin(), out.weight.begin(),
                   std::multiplies<>());
  for (std::size_t j = 0; j < cells.law.size(); ++j) {
    if (j != k) out = add_clipped_count(out, cells.law[j]);
  }
  return out;
}

std::vector<double> squares(std::vector<double> values) {
  for (double& x : values) x *= x;
  return values;
}

/// By the number of cells at the top only the sum counts: the best are those that add most there.
double best_full_box(const HypotheticalRow& row, std::int64_t records) {
  const auto top = static_cast<double>(records);
  double floor = 0;
  std::vector<double> gain;
  for (std::size_t k = 0; k < row.counts.size(); ++k) {
    floor += cell_loss(row, k, 0);
    gain.push_back(cell_loss(row, k, top) - cell_loss(row, k, 0));
  }
  std::sort(gain.begin(), gain.end(), std::greater<>());
  double best = floor - sum_loss(row, 0);
  for (std::size_t full = 1; full <= gain.size(); ++full) {
    floor += gain[full - 1];
    best = std::max(best, floor - sum_loss(row, top * static_cast<double>(full)));
  }
  return best;
}

struct Box {
  std::vector<double> lo, hi, loss_lo, loss_hi;
};
Box box_around(const HypotheticalRow& row, std::int64_t records, double error) {
  Box out;
  for (std::size_t k = 0; k < row.counts.size(); ++k) {
    const auto count = static_cast<double>(row.counts[k]);
    out.lo.push_back(std::max(0.0, count - error));
    out.hi.push_back(std::min(static_cast<double>(records), count + error));
    out.loss_lo.push_back(cell_loss(row, k, out.lo.back()));
    out.loss_hi.push_back(cell_loss(row, k, out.hi.back()));
  }
  return out;
}

double best_corner(const HypotheticalRow& row, const Box& box) {
  double best = 0;
  for (std::size_t corner = 0; corner < std::size_t{1} << box.lo.size(); ++corner) {
    double loss = 0;
    double sum = 0;
    for (std::size_t k = 0; k < box.lo.size(); ++k) {
      const bool high = (corner >> k & 1U) != 0;
      loss += high ? box.loss_hi[k] : box.loss_lo[k];
      sum += high ? box.hi[k] : box.lo[k];
    }
    best = std::max(best, loss - sum_loss(row, sum));
  }
  return best;
}

}  // namespace

KlMoments hypothetical_kl_moments(const HypotheticalRow& row, const ClippedNoise& noise) {
  check(row, noise.records);
  const Cells cells = cells_of(row, noise);
  const Stretch sum = by_sum(cells, 0, false);
  std::vector<double> taken;
  for (std::int64_t s = sum.from; s <= sum.to(); ++s) taken.push_back(sum_loss(row, static_cast<double>(s)));
  const double mean_taken = expectation(sum, taken);
  KlMoments out{-mean_taken, expectation(sum, squares(taken)) - mean_taken * mean_taken};
  for (std::size_t k = 0; k < cells.law.size(); ++k) {
    const double mean = expectation(cells.pmf[k], cells.loss[k]);
    const double covariance = expectation(by_sum(cells, k, true), taken) - mean * mean_taken;
    out.mean += mean;
    out.variance += expectation(cells.pmf[k], squares(cells.loss[k])) - mean * mean - 2 * covariance;
  }
  out.variance = std::max(0.0, out.variance);
  return out;
}

double hypothetical_kl_range(const HypotheticalRow& row, std::int64_t records) {
  check(row, records);
  return best_full_box(row, records);
}

double hypothetical_kl_corner(const HypotheticalRow& row, std::int64_t records, double error) {
  check(row, records);
  check_not_negative(error);
  const Box box = box_around(row, records, error);
  if (box.lo.size() <= kMostCorners) return best_corner(row, box);
  double bound = 0;  // the sum takes away at least 0
  for (std::size_t k = 0; k < box.lo.size(); ++k) bound += std::max(box.loss_lo[k], box.loss_hi[k]);
  return bound;
}

double KlBounds::least() const { return std::min({cantelli, mcdiarmid, corner}); }

KlBounds hypothetical_kl_bounds(std::span<const HypotheticalRow> rows, const ClippedNoise& noise,
                                double delta) {
  check_probability(delta);
  if (rows.empty()) throw Error(ErrorCode::usage, {"a loss needs a row"});
  CellNoise cells{noise.rate, 0};
  for (const HypotheticalRow& row : rows) cells.cells += row.counts.size();
  const double error = discrete_noise_bound(cells, delta);
  KlBounds out;
  double squared_ranges = 0;
  for (const HypotheticalRow& row : rows) {
    const KlMoments moments = hypothetical_kl_moments(row, noise);
    out.moments.mean += moments.mean;
    out.moments.variance += moments.variance;
    const double range = hypothetical_kl_range(row, noise.records);
    squared_ranges += range * range;
    out.corner += hypothetical_kl_corner(row, noise.records, error);
  }
  out.cantelli = out.moments.mean + std::sqrt(out.moments.variance * (1 - delta) / delta);
  out.mcdiarmid = out.moments.mean + std::sqrt(0.5 * squared_ranges * -std::log(delta));
  return out;
}

}  // namespace postern::assess
