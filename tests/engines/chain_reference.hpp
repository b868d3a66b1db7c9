#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "postern/core/special.hpp"
#include "postern/infer/kinds/table/problem.hpp"
#include "postern/infer/kinds/total.hpp"
#include "postern/infer/noise/noisy_value.hpp"

namespace postern::infer {

/// The posterior by messages along a chain of cells over all of 0..n, summed directly in long double: no
/// windows, no tilt, no transform. O(K n^2), for problems of a few thousand records.
class ChainReference {
 public:
  explicit ChainReference(const CountProblem& problem) : problem_(problem), cells_(problem.alpha.size()) {
    const auto* known = std::get_if<KnownTotal>(&problem.total);
    const auto* latent = std::get_if<LatentTotal>(&problem.total);
    most_ = static_cast<std::size_t>(known != nullptr ? known->n : latent->at_most);
    for (const double a : problem.alpha) alpha0_ += a;
    for (std::size_t k = 0; k < cells_; ++k) leaves_.push_back(leaf(k));
    before_.push_back({1.0L});
    for (std::size_t k = 0; k < cells_; ++k) before_.push_back(convolve(before_.back(), leaves_[k]));
    after_.assign(cells_ + 1, {1.0L});
    for (std::size_t k = cells_; k-- > 0;) after_[k] = convolve(after_[k + 1], leaves_[k]);
    for (std::size_t n = 0; n <= most_; ++n) total_weight_.push_back(weight_of_total(n, known, latent));
    for (std::size_t n = 0; n <= most_; ++n) mass_ += total_weight_[n] * before_.back()[n];
  }

  [[nodiscard]] double log_evidence() const { return static_cast<double>(std::log(mass_)); }
  [[nodiscard]] double total_probability(std::size_t n) const {
    return static_cast<double>(total_weight_[n] * before_.back()[n] / mass_);
  }

  struct CellSummary {
    double mean = 0;
    double sd = 0;
    double cdf = 0;  ///< at theta
    double expected_count = 0;
  };
  [[nodiscard]] CellSummary cell(std::size_t k, double theta) const {
    const std::vector<long double> rest = convolve(before_[k], after_[k + 1]);
    const double a = problem_.alpha[k];
    long double mean = 0;
    long double square = 0;
    long double count = 0;
    double cdf = 0;
    for (std::size_t s = 0; s <= most_; ++s) {
      for (std::size_t r = 0; r + s <= most_; ++r) {
        const long double p = leaves_[k][s] * rest[r] * total_weight_[s + r] / mass_;
        if (p < 1e-22L) continue;
        const long double up = a + static_cast<long double>(s);
        const long double sum = alpha0_ + static_cast<long double>(s + r);
        mean += p * up / sum;
        square += p * up * (up + 1) / (sum * (sum + 1));
        count += p * static_cast<long double>(s);
        if (p > 1e-16L) {
          cdf += static_cast<double>(p) *
                 beta_cdf(static_cast<double>(up), static_cast<double>(sum - up), theta);
        }
      }
    }
    return {static_cast<double>(mean), static_cast<double>(std::sqrt(square - mean * mean)), cdf,
            static_cast<double>(count)};
  }

 private:
  [[nodiscard]] std::vector<long double> leaf(std::size_t k) {
    std::vector<long double> out;
    for (std::size_t i = 0; i <= most_; ++i) {
      const auto s = static_cast<double>(i);
      const double a = problem_.alpha[k];
      double log_weight = log_gamma(s + a) - log_gamma(a) - log_factorial(s);
      for (const NoisyValue& noisy_value : problem_.noisy_values[k])
        log_weight += release::log_pmf(noisy_value.law, noisy_value.y - s);
      out.push_back(std::exp(static_cast<long double>(log_weight)));
    }
    return out;
  }
  [[nodiscard]] long double weight_of_total(std::size_t i, const KnownTotal* known,
                                            const LatentTotal* latent) const {
    const auto n = static_cast<double>(i);
    if (known != nullptr && i != most_) return 0;
    const double factor = log_factorial(n) + log_gamma(alpha0_) - log_gamma(n + alpha0_);
    const double prior =
        latent == nullptr ? 0 : latent->log_slope * n - std::log(static_cast<double>(most_ + 1));
    return std::exp(static_cast<long double>(factor + prior));
  }
  [[nodiscard]] std::vector<long double> convolve(const std::vector<long double>& a,
                                                  const std::vector<long double>& b) const {
    std::vector<long double> out(most_ + 1, 0.0L);
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < b.size() && i + j <= most_; ++j) out[i + j] += a[i] * b[j];
    }
    return out;
  }

  CountProblem problem_;
  std::size_t cells_;
  std::size_t most_ = 0;
  double alpha0_ = 0;
  std::vector<std::vector<long double>> leaves_;
  std::vector<std::vector<long double>> before_;
  std::vector<std::vector<long double>> after_;
  std::vector<long double> total_weight_;
  long double mass_ = 0;
};

}  // namespace postern::infer
