#include "posterior_draw.hpp"

#include <algorithm>
#include <cmath>

namespace postern::zhang16 {
namespace {

TruncatedBeta coin(const std::array<double, 2>& row, double omega, double tempering) {
  return {1 + tempering * row[1], 1 + tempering * row[0], omega, 1 - omega};
}

double row_log_likelihood(const std::array<double, 2>& row, double coin) {
  return row[1] * std::log(coin) + row[0] * std::log1p(-coin);
}

}  // namespace

CutPosterior::CutPosterior(const Tables& counts, double omega, double tempering)
    : one_(coin(counts.label, omega, tempering)) {
  for (const auto& rows : counts.feature)
    feature_.push_back({coin(rows[0], omega, tempering), coin(rows[1], omega, tempering)});
}

Coins CutPosterior::draw(Rng& rng) const {
  Coins out{one_.draw(rng), {}};
  for (std::size_t i = 0; i < kFeatures; ++i) {
    for (std::size_t y = 0; y < 2; ++y) out.feature[i][y] = feature_[i][y].draw(rng);
  }
  return out;
}

double printed_omega(double epsilon) { return std::exp(-epsilon / 2); }

double log_likelihood(const Coins& coins, const Tables& counts) {
  double sum = row_log_likelihood(counts.label, coins.one);
  for (std::size_t i = 0; i < kFeatures; ++i) {
    for (std::size_t y = 0; y < 2; ++y) sum += row_log_likelihood(counts.feature[i][y], coins.feature[i][y]);
  }
  return sum;
}

double best_log_likelihood(const Tables& counts, double omega) {
  const auto best = [omega](const std::array<double, 2>& row) {
    const double all = row[0] + row[1];
    return all == 0 ? 0.5 : std::clamp(row[1] / all, omega, 1 - omega);
  };
  Coins coins{best(counts.label), {}};
  for (std::size_t i = 0; i < kFeatures; ++i) {
    for (std::size_t y = 0; y < 2; ++y) coins.feature[i][y] = best(counts.feature[i][y]);
  }
  return log_likelihood(coins, counts);
}

}  // namespace postern::zhang16
