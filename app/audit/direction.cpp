#include "audit/direction.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "postern/core/special.hpp"
#include "postern/release/choice.hpp"

namespace postern::app {
namespace {

ScoreDifference compare_scores(std::size_t block, const std::vector<Int128>& here,
                               const std::vector<Int128>& there, double scale) {
  ScoreDifference out{block, release::choice_log_probabilities(here, scale), {}};
  const std::vector<double> other = release::choice_log_probabilities(there, scale);
  for (std::size_t i = 0; i < other.size(); ++i) out.log_odds.push_back(out.on_d[i] - other[i]);
  return out;
}

/// Renyi divergence of discrete Laplace noise from the same, shifted: geometric sums to the left of both
/// peaks, between them, and to the right.
double laplace_divergence(double rate, double shift, double order) {
  const double q = std::exp(-rate);
  const double between = rate * (2 * order - 1);
  const double sum = (1 + std::exp(-between * shift)) / (1 - q) +
                     std::exp(-between) * std::expm1(-between * (shift - 1)) / std::expm1(-between);
  return rate * shift + std::log((1 - q) / (1 + q) * sum) / (order - 1);
}

double choice_divergence(const ScoreDifference& choice, double order, bool reversed) {
  std::vector<double> terms;
  for (std::size_t i = 0; i < choice.on_d.size(); ++i)
    terms.push_back(choice.on_d[i] + (reversed ? -order : order - 1) * choice.log_odds[i]);
  return std::max(0.0, log_sum_exp(terms) / (order - 1));
}

double largest_ratio(const ScoreDifference& choice) {
  double most = 0;
  for (const double odds : choice.log_odds) most = std::max(most, std::abs(odds));
  return most;
}

/// Over the order.
double noise_loss(const Difference& d, Currency currency, double order) {
  const release::NoiseShape shape = release::shape(d.law);
  const double change = std::abs(static_cast<double>(d.change));
  if (currency == Currency::pure) return shape.rate * change;
  return shape.rate > 0 ? laplace_divergence(shape.rate, change, order) / order
                        : shape.precision * change * change / 2;
}

}  // namespace

Direction differences(const ExactBlocks& d, const ExactBlocks& neighbour,
                      const model::Measurement& measurement) {
  Direction found;
  for (std::size_t b = 0; b < d.size(); ++b) {
    const model::Noise& noise = measurement.blocks[b].noise;
    if (noise.kind == model::NoiseKind::exponential) {
      if (d[b] != neighbour[b])
        found.choices.push_back(compare_scores(b, d[b], neighbour[b], noise.parameter.get_d()));
      continue;
    }
    const release::NoiseLaw law = release::noise_law(noise);
    for (std::size_t j = 0; j < d[b].size(); ++j) {
      const Int128 here = d[b][j];
      const Int128 there = neighbour[b][j];
      if (here == there) continue;
      found.coordinates.push_back(
          {b, j, static_cast<std::int64_t>(here - there), static_cast<double>(there), law});
    }
  }
  return found;
}

RunStatistic look_at(std::span<const model::MeasuredBlock> blocks, const Direction& direction) {
  RunStatistic statistic;
  for (const ScoreDifference& choice : direction.choices) {
    const double odds = choice.log_odds[static_cast<std::size_t>(blocks[choice.block].values[0])];
    statistic.projection += odds;
    statistic.ratio += odds;
  }
  for (const Difference& d : direction.coordinates) {
    const auto y = static_cast<double>(blocks[d.block].values[d.coordinate]);
    const auto change = static_cast<double>(d.change);
    statistic.projection += change * y;
    statistic.ratio +=
        release::log_pmf(d.law, y - d.on_neighbour - change) - release::log_pmf(d.law, y - d.on_neighbour);
  }
  return statistic;
}

void LawLoss::add(const Direction& direction) {
  for (std::size_t o = 0; o < losses_.size(); ++o) {
    const double order = kOrders[o % kOrders.size()];
    for (const ScoreDifference& choice : direction.choices) {
      losses_[o] += currency_ == Currency::pure
                        ? largest_ratio(choice)
                        : choice_divergence(choice, order, o >= kOrders.size()) / order;
    }
    for (const Difference& d : direction.coordinates) losses_[o] += noise_loss(d, currency_, order);
  }
}

void LawLoss::add(const LawLoss& other) {
  for (std::size_t o = 0; o < losses_.size(); ++o) losses_[o] += other.losses_[o];
}

double LawLoss::largest() const { return *std::max_element(losses_.begin(), losses_.end()); }

}  // namespace postern::app
