#include "leaf_row.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

std::vector<double> convolve_logs(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out(a.size(), kMinusInfinity);
  std::vector<double> terms;
  for (std::size_t n = 0; n < out.size(); ++n) {
    terms.clear();
    for (std::size_t s = 0; s <= n; ++s) terms.push_back(a[s] + b[n - s]);
    out[n] = log_sum_exp(terms);
  }
  return out;
}

}  // namespace

LeafRow::LeafRow(std::span<const double> alpha, std::span<const std::vector<NoisyValue>> noisy_values,
                 std::int64_t most)
    : alpha_(alpha.begin(), alpha.end()) {
  const auto length = static_cast<std::size_t>(most) + 1;
  double whole = 0;
  for (std::size_t k = 0; k < alpha.size(); ++k) {
    whole += alpha[k];
    std::vector<double> cell(length);
    for (std::size_t s = 0; s < length; ++s) {
      const auto x = static_cast<double>(s);
      cell[s] = log_rising(alpha[k], x) - log_factorial(x);
      for (const NoisyValue& noisy : noisy_values[k]) {
        cell[s] += release::log_pmf(noisy.law, noisy.y - x);
        silent_ = false;
      }
    }
    before_.push_back(before_.empty() ? cell : convolve_logs(before_.back(), cell));
    cells_.push_back(std::move(cell));
  }
  for (std::size_t n = 0; n < length; ++n) {
    const auto x = static_cast<double>(n);
    message_.log_weight.push_back(before_.back()[n] + log_factorial(x) - log_rising(whole, x));
  }
}

void LeafRow::draw(std::int64_t total, std::span<std::int64_t> counts, Rng& rng) const {
  for (std::size_t k = counts.size(); k-- > 1;) {
    const double norm = before_[k][static_cast<std::size_t>(total)];
    double left = rng.uniform();
    std::int64_t s = 0;
    for (; s < total; ++s) {
      left -= std::exp(cells_[k][static_cast<std::size_t>(s)] +
                       before_[k - 1][static_cast<std::size_t>(total - s)] - norm);
      if (left < 0) break;
    }
    counts[k] = s;
    total -= s;
  }
  counts[0] = total;
}

}  // namespace postern::infer
