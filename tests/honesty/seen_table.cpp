#include "seen_table.hpp"

#include <cmath>
#include <numeric>

#include "postern/release/noise_law.hpp"

namespace postern::honesty {
namespace {

constexpr double kHalf = 1.645;  ///< standard deviations on either side of a 90 % interval

}  // namespace

SeenTable::SeenTable(const model::MeasuredBlock& block, std::size_t records, bool private_n)
    : sd_(std::sqrt(release::variance(release::noise_law(block.block.noise)))),
      records_(static_cast<double>(records)),
      private_n_(private_n) {
  for (const Int128 value : block.values) noisy_.push_back(static_cast<double>(value));
  total_ = private_n ? std::accumulate(noisy_.begin(), noisy_.end(), 0.0) : records_;
}

/// Noise of a share, of a noisy total where n is private; and what sampling adds.
double SeenTable::deviation(double share, std::size_t cells) const {
  const auto inside = static_cast<double>(cells);
  const auto all = static_cast<double>(noisy_.size());
  const double noise =
      private_n_ ? (1 - share) * (1 - share) * inside + share * share * (all - inside) : inside;
  return std::sqrt(noise * sd_ * sd_ / records_ / records_ + share * (1 - share) / records_);
}

Fact SeenTable::share(double truth, const std::vector<std::size_t>& cells, const Ends& ends) const {
  Fact fact;
  fact.truth = truth;
  fact.lower = ends.lower;
  fact.upper = ends.upper;
  fact.size = records_ * truth / (sd_ * std::sqrt(static_cast<double>(cells.size())));
  const double sd = deviation(truth, cells.size());
  fact.unit = 2 * kHalf * sd;
  if (private_n_ && total_ <= 10 * std::sqrt(total_variance())) return fact;
  double plain = 0;
  for (const std::size_t cell : cells) plain += noisy_[cell] / total_;
  fact.plain_lower = plain - kHalf * sd;
  fact.plain_upper = plain + kHalf * sd;
  return fact;
}

Fact SeenTable::conditional(double truth, double given, const std::vector<std::size_t>& cells,
                            const Ends& ends) const {
  Fact fact = share(truth, cells, ends);
  fact.truth /= given;
  fact.unit /= given;
  fact.plain_lower.reset();
  fact.plain_upper.reset();
  return fact;
}

Fact total_fact(const std::vector<SeenTable>& tables, std::size_t records, const Ends& ends) {
  double precision = 0;
  double mean = 0;
  for (const SeenTable& table : tables) {
    precision += 1 / table.total_variance();
    mean += table.total() / table.total_variance();
  }
  mean /= precision;
  const double sd = 1 / std::sqrt(precision);
  const auto truth = static_cast<double>(records);
  return {truth, ends.lower, ends.upper, truth / sd, mean - kHalf * sd, mean + kHalf * sd, 2 * kHalf * sd};
}

}  // namespace postern::honesty
