#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/infer/kinds/multivariate_normal/augment/chain.hpp"

// Where a chain begins: records whose moments are those that were seen, noised once more so that chains begin
// apart, and made possible. Under little noise a chain would need long to come there by itself.

namespace postern::infer {
namespace {

double perturbed(const NoisyValue& noisy_value, Rng& rng) {
  return noisy_value.y + static_cast<double>(release::simulate(noisy_value.law, rng));
}

/// Puts z about their own mean and divides by their own factor: moments exactly those of the standard normal.
void standardise(std::array<std::vector<double>, kMostColumns>& z, std::size_t d) {
  const auto n = static_cast<double>(z[0].size());
  Square scatter;
  for (std::size_t i = 0; i < d; ++i) {
    double mean = 0;
    for (const double x : z[i]) mean += x / n;
    for (double& x : z[i]) x -= mean;
    for (std::size_t j = 0; j <= i; ++j) {
      for (std::size_t r = 0; r < z[i].size(); ++r) scatter(i, j) += z[i][r] * z[j][r] / n;
    }
  }
  Row least;
  least.fill(1e-6);
  const Square factor = lower_factor(scatter, d, least);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t r = 0; r < z[i].size(); ++r) {
      for (std::size_t j = 0; j < i; ++j) z[i][r] -= factor(i, j) * z[j][r];
      z[i][r] /= factor(i, i);
    }
  }
}

}  // namespace

std::size_t VectorChain::guess_size(std::size_t set, Rng& rng) const {
  const VectorRecords& records = problem_.sets[set];
  if (const auto* known = std::get_if<KnownTotal>(&records.total)) return static_cast<std::size_t>(known->n);
  const double most = sets_[set].most;
  const double n = records.counts.empty() ? std::floor(rng.uniform() * (most + 1))
                                          : perturbed(records.counts.front(), rng);
  return static_cast<std::size_t>(std::clamp(n, 0.0, most));
}

/// In widths, as everything inside. What was not seen is taken to be a quarter of the range wide.
VectorMoments VectorChain::guess_moments(std::size_t set, std::size_t n, Rng& rng) const {
  const VectorRecords& records = problem_.sets[set];
  const auto size = static_cast<double>(n);
  Row k{};
  Row unit{};
  VectorMoments out;
  out.weight = out.degrees = size;
  for (std::size_t i = 0; i < d_; ++i) {
    const auto& values = records.numbers[i].values;
    const auto low = static_cast<double>(values.adds.front());
    const double range = static_cast<double>(values.adds.back()) - low;
    const double mean = records.sums[i].empty() ? low + range * rng.uniform()
                                                : perturbed(records.sums[i].front(), rng) / size;
    k[i] = std::clamp(mean, low + 0.01 * range, low + 0.99 * range);
    unit[i] = values.unit / width_[i];
    out.mean[i] = (values.zero + values.unit * k[i] - middle_[i]) / width_[i];
  }
  Square covariance;
  for (std::size_t i = 0; i < d_; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const auto& noisy_values = records.products[packed(j, i, d_)];
      const double seen =
          noisy_values.empty()
              ? 0
              : unit[i] * unit[j] * (perturbed(noisy_values.front(), rng) / size - k[i] * k[j]);
      covariance(i, j) = i == j ? std::clamp(noisy_values.empty() ? 1.0 / 16 : seen, 1e-4, 0.25) : seen;
    }
  }
  covariance = made_definite(covariance, d_);
  for (std::size_t i = 0; i < d_; ++i) {
    for (std::size_t j = 0; j <= i; ++j) out.scatter(i, j) = size * covariance(i, j);
  }
  return out;
}

void VectorChain::place_records(Records& records, const Set& set, const VectorMoments& moments,
                                Rng& rng) const {
  const auto n = static_cast<std::size_t>(moments.weight);
  for (std::size_t i = 0; i < d_; ++i) {
    records.x[i].resize(n);
    records.k[i].resize(n);
    for (double& z : records.x[i]) z = draw_normal(rng);
  }
  if (n > 2 * d_ + 2) standardise(records.x, d_);
  Square factor = lower_factor(moments.scatter, d_, {});
  for (double& x : factor.at) x /= std::sqrt(std::max(moments.weight, 1.0));
  for (std::size_t i = d_; i-- > 0;) {
    for (std::size_t r = 0; r < n; ++r) {
      double x = moments.mean[i];
      for (std::size_t j = 0; j <= i; ++j) x += factor(i, j) * records.x[j][r];
      records.x[i][r] = x;
      records.k[i][r] = set.finders[i].adds(x);
    }
  }
  add_up(records);
}

VectorChain::State VectorChain::init(Rng& rng) const {
  State state{prior_, {}, {}, {}, {}};
  state.sets.resize(sets_.size());
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    const std::size_t n = guess_size(s, rng);
    if (n > 0) place_records(state.sets[s], sets_[s], guess_moments(s, n, rng), rng);
  }
  state.theta = prior_.draw(moments_of(state), rng);
  for (std::size_t m = 0; m < kMoves; ++m) state.tuning.log_scale[m] = m + 1 < kMoves ? -3 : 3;
  return state;
}

}  // namespace postern::infer
