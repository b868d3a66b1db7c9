#include <cmath>
#include <cstddef>
#include <vector>

#include "postern/core/draw.hpp"

#include "stirling.hpp"

namespace postern {
namespace {

class LargeBinomial {
 public:
  /// @pre n p >= 10, p <= 1/2.
  LargeBinomial(double n, double p) : n_(n), mean_(n * p), other_(n * (1 - p)) {
    const double sd = std::sqrt(n * p * (1 - p));
    b_ = 1.15 + 2.53 * sd;
    a_ = -0.0873 + 0.0248 * b_ + 0.01 * p;
    alpha_ = (2.83 + 5.1 / b_) * sd;
    accept_ = 0.92 - 4.2 / b_;
    mode_ = std::floor((n + 1) * p);
  }

  /// Transformed rejection with squeeze (BTRS, Hormann 1993), with Loader's saddle point form of the
  /// probabilities: the usual forms lose the digits that decide when n is near 1e12.
  double draw(Rng& rng) const {
    double log_mode = 0;
    bool have_mode = false;
    while (true) {
      const double u = rng.uniform() - 0.5;
      const double v = rng.uniform();
      const double us = 0.5 - std::abs(u);
      const double k = std::floor((2 * a_ / us + b_) * u + mean_ + 0.5);
      if (us >= 0.07 && v <= accept_) return k;
      if (k < 0 || k > n_) continue;
      if (!have_mode) log_mode = log_pmf_shape(mode_);
      have_mode = true;
      if (std::log(v * alpha_ / (a_ / (us * us) + b_)) <= log_pmf_shape(k) - log_mode) return k;
    }
  }

 private:
  /// log P(k) up to a constant.
  double log_pmf_shape(double k) const {
    const double rest = n_ - k;
    return -deviance(k, mean_) - deviance(rest, other_) - factorial_excess(k) - factorial_excess(rest);
  }

  /// log k! - [k log k - k + log(2 pi)/2].
  static double factorial_excess(double k) {
    return k > 0 ? 0.5 * std::log(k) + stirling_error(k) : -kHalfLogTwoPi;
  }

  double n_, mean_, other_;
  double a_ = 0, b_ = 0, alpha_ = 0, accept_ = 0, mode_ = 0;
};

/// Inversion by adding up probabilities from 0. @pre n p < 10, p <= 1/2.
std::int64_t draw_small_binomial(std::int64_t n, double p, Rng& rng) {
  const double start = std::exp(static_cast<double>(n) * std::log1p(-p));
  const double odds = p / (1 - p);
  while (true) {
    double u = rng.uniform();
    double probability = start;
    for (std::int64_t k = 0; k <= n && probability > 0; ++k) {
      if (u < probability) return k;
      u -= probability;
      probability *= odds * static_cast<double>(n - k) / static_cast<double>(k + 1);
    }
  }
}

}  // namespace

std::int64_t draw_binomial(std::int64_t n, double p, Rng& rng) {
  if (n <= 0 || !(p > 0)) return 0;
  if (p >= 1) return n;
  if (p > 0.5) return n - draw_binomial(n, 1 - p, rng);
  const auto size = static_cast<double>(n);
  if (size * p < 10) return draw_small_binomial(n, p, rng);
  return static_cast<std::int64_t>(LargeBinomial(size, p).draw(rng));
}

void draw_multinomial(std::int64_t n, std::span<const double> p, std::span<std::int64_t> counts, Rng& rng) {
  // Suffix sums rather than 1 - p_0 - ... - p_k, which would cancel.
  std::vector<double> rest(p.size() + 1, 0.0);
  for (std::size_t k = p.size(); k-- > 0;) rest[k] = rest[k + 1] + p[k];
  for (std::size_t k = 0; k < p.size(); ++k) {
    counts[k] = rest[k + 1] > 0 ? draw_binomial(n, p[k] / rest[k], rng) : (p[k] > 0 ? n : 0);
    n -= counts[k];
  }
}

}  // namespace postern
