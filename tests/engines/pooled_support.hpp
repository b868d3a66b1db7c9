#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "postern/core/diagnostics.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/kinds/table/gibbs/pooled_counts.hpp"

#include "brute_noise.hpp"

namespace postern::infer {

/// One quantity's draws, chain by chain.
inline std::vector<std::span<const double>> chains_of(const ChainRun& run, std::size_t quantity,
                                                      std::size_t draws) {
  std::vector<std::span<const double>> out;
  for (const auto& chain : run.draws) out.emplace_back(chain.data() + quantity * draws, draws);
  return out;
}

/// Mean of a function of the draws with values in an interval of length `range`, and how far from the truth
/// it may lie with probability 1e-6: the empirical Bernstein bound (Maurer & Pontil 2009) for as many
/// independent draws as the chains are worth. It allows for rare values that no draw has.
struct Estimate {
  double mean = 0;
  double reach = 0;
};
inline Estimate estimate(const std::vector<std::span<const double>>& chains, double range,
                         const std::function<double(double)>& f) {
  std::vector<std::vector<double>> values;
  double count = 0;
  double mean = 0;
  for (const auto chain : chains) {
    auto& row = values.emplace_back();
    for (const double x : chain) {
      row.push_back(f(x));
      mean += (row.back() - mean) / ++count;
    }
  }
  double square = 0;
  for (const auto& row : values) {
    for (const double x : row) square += (x - mean) * (x - mean);
  }
  const std::vector<std::span<const double>> views(values.begin(), values.end());
  const double effective = std::min(bulk_ess(ChainDraws(views)), count);
  const double log_odds = std::log(2e6);
  return {mean,
          std::sqrt(2 * square / count * log_odds / effective) + 7 * range * log_odds / (3 * effective)};
}

/// The posterior of a pooled problem by listing every table of counts of every dataset.
class PooledEnumeration {
 public:
  explicit PooledEnumeration(const PooledCounts& problem) : problem_(problem) {
    for (const double a : problem.alpha) alpha0_ += a;
    std::vector<double> sum(problem.alpha.size(), 0.0);
    std::vector<double> totals;
    list(0, 0.0, sum, totals);
    log_evidence_ = log_sum_exp(log_weight_);
  }
  /// E theta_k and E theta_k^2.
  [[nodiscard]] double mean(std::size_t k) const {
    return average([&](std::size_t i) { return shape(i, k) / size(i); });
  }
  [[nodiscard]] double square(std::size_t k) const {
    return average(
        [&](std::size_t i) { return shape(i, k) * (shape(i, k) + 1) / (size(i) * (size(i) + 1)); });
  }
  /// E n_d and E n_d^2.
  [[nodiscard]] double total(std::size_t d) const {
    return average([&](std::size_t i) { return totals_[i][d]; });
  }
  [[nodiscard]] double total_square(std::size_t d) const {
    return average([&](std::size_t i) { return totals_[i][d] * totals_[i][d]; });
  }

 private:
  void list(std::size_t d, double log_weight, std::vector<double>& sum, std::vector<double>& totals) {
    if (d == problem_.datasets.size()) {
      double n = 0;
      double w = log_weight;
      for (std::size_t k = 0; k < sum.size(); ++k) {
        w += log_gamma(problem_.alpha[k] + sum[k]) - log_gamma(problem_.alpha[k]);
        n += sum[k];
      }
      log_weight_.push_back(w + log_gamma(alpha0_) - log_gamma(alpha0_ + n));
      sums_.push_back(sum);
      totals_.push_back(totals);
      return;
    }
    const CountProblem& data = problem_.datasets[d];
    const auto* known = std::get_if<KnownTotal>(&data.total);
    const std::int64_t from = known != nullptr ? known->n : 0;
    const std::int64_t to = known != nullptr ? known->n : std::get<LatentTotal>(data.total).at_most;
    const double slope = known != nullptr ? 0 : std::get<LatentTotal>(data.total).log_slope;
    for (std::int64_t n = from; n <= to; ++n) {
      const auto size = static_cast<double>(n);
      totals.push_back(size);
      place(d, 0, n, log_weight + slope * size + log_factorial(size), sum, totals);
      totals.pop_back();
    }
  }
  void place(std::size_t d, std::size_t k, std::int64_t left, double log_weight, std::vector<double>& sum,
             std::vector<double>& totals) {
    const bool last = k + 1 == sum.size();
    for (std::int64_t s = last ? left : 0; s <= left; ++s) {
      const auto count = static_cast<double>(s);
      double w = log_weight - log_factorial(count);
      for (const NoisyValue& noisy_value : problem_.datasets[d].noisy_values[k])
        w += brute_log_likelihood(noisy_value, count);
      sum[k] += count;
      if (last) {
        list(d + 1, w, sum, totals);
      } else {
        place(d, k + 1, left - s, w, sum, totals);
      }
      sum[k] -= count;
    }
  }
  template <class F>
  [[nodiscard]] double average(const F& f) const {
    double out = 0;
    for (std::size_t i = 0; i < log_weight_.size(); ++i)
      out += std::exp(log_weight_[i] - log_evidence_) * f(i);
    return out;
  }
  [[nodiscard]] double shape(std::size_t i, std::size_t k) const { return problem_.alpha[k] + sums_[i][k]; }
  [[nodiscard]] double size(std::size_t i) const {
    double n = alpha0_;
    for (const double s : sums_[i]) n += s;
    return n;
  }

  PooledCounts problem_;
  double alpha0_ = 0;
  double log_evidence_ = 0;
  std::vector<double> log_weight_;
  std::vector<std::vector<double>> sums_, totals_;
};

}  // namespace postern::infer
