#include "psgd.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"

namespace postern::cgm17 {
namespace {

/// Calls visit(record) for each record of a batch: each is in it with probability `rate`.
template <class Visit>
void for_each_in_batch(std::size_t n, double rate, Rng& rng, const Visit& visit) {
  if (rate >= 1) {
    for (std::size_t i = 0; i < n; ++i) visit(i);
    return;
  }
  const double per_gap = -1 / std::log1p(-rate);
  for (double at = std::floor(draw_exponential(rng) * per_gap); at < static_cast<double>(n);
       at += 1 + std::floor(draw_exponential(rng) * per_gap))
    visit(static_cast<std::size_t>(at));
}

}  // namespace

std::vector<double> descend(const graph::LogLinear& model, const Contributors& records,
                            const Descent& descent, double noise, Rng& rng) {
  const auto expected = static_cast<double>(descent.batch);
  const double rate = std::min(1.0, expected / static_cast<double>(records.n));
  auto work = model.workspace();
  std::vector<double> theta(model.dimension());
  std::vector<double> mean(theta.size());
  std::vector<double> sum(theta.size());
  const int first_kept = descent.steps / 2;
  for (int t = 0; t < descent.steps; ++t) {
    std::fill(sum.begin(), sum.end(), 0.0);
    for_each_in_batch(records.n, rate, rng, [&](std::size_t i) { records.add(i, sum); });
    (void)model.evaluate(theta, work);
    for (std::size_t k = 0; k < theta.size(); ++k) {
      const double seen = sum[k] + noise * records.norm * draw_normal(rng);
      theta[k] -= descent.step * (work.marginals[k] - seen / expected);
      if (t >= first_kept) mean[k] += theta[k] / (descent.steps - first_kept);
    }
  }
  return mean;
}

}  // namespace postern::cgm17
