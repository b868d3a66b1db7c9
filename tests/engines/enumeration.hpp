#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "postern/core/special.hpp"
#include "postern/infer/kinds/table/problem.hpp"
#include "postern/infer/kinds/total.hpp"
#include "postern/infer/noise/noisy_value.hpp"

#include "brute_noise.hpp"

namespace postern::infer {

/// The posterior by listing every table of counts: the definition itself, for small problems.
class Enumeration {
 public:
  explicit Enumeration(const CountProblem& problem) : problem_(problem) {
    const std::size_t cells = problem.alpha.size();
    for (const double a : problem.alpha) alpha0_ += a;
    const auto* most = std::get_if<LatentTotal>(&problem.total);
    for (const auto& noisy_values : problem.noisy_values)
      log_seen_.push_back(brute_log_likelihoods(
          noisy_values, most != nullptr ? most->at_most : std::get<KnownTotal>(problem.total).n));
    if (const auto* known = std::get_if<KnownTotal>(&problem.total)) {
      list(known->n, 0.0);
    } else {
      const auto& latent = std::get<LatentTotal>(problem.total);
      std::vector<double> log_prior;
      for (std::int64_t n = 0; n <= latent.at_most; ++n)
        log_prior.push_back(latent.log_slope * static_cast<double>(n));
      const double norm = log_sum_exp(log_prior);
      for (std::int64_t n = 0; n <= latent.at_most; ++n)
        list(n, log_prior[static_cast<std::size_t>(n)] - norm);
    }
    log_evidence_ = log_sum_exp(log_weight_);
    for (const double w : log_weight_) weight_.push_back(std::exp(w - log_evidence_));
    cells_ = cells;
  }

  [[nodiscard]] double log_evidence() const { return log_evidence_; }
  [[nodiscard]] double mean(std::size_t k) const {
    return average([&](std::size_t i) { return a(i, k) / (alpha0_ + total(i)); });
  }
  [[nodiscard]] double sd(std::size_t k) const {
    const double m = mean(k);
    return std::sqrt(average([&](std::size_t i) {
      const double sum = alpha0_ + total(i);
      const double share = a(i, k) / sum;
      return share * (1 - share) / (sum + 1) + (share - m) * (share - m);
    }));
  }
  [[nodiscard]] double cdf(std::size_t k, double theta) const {
    return average([&](std::size_t i) { return beta_cdf(a(i, k), alpha0_ + total(i) - a(i, k), theta); });
  }
  [[nodiscard]] double expected_count(std::size_t k) const {
    return average([&](std::size_t i) { return static_cast<double>(counts_[i * cells_ + k]); });
  }
  [[nodiscard]] double count_probability(std::size_t k, std::int64_t s) const {
    return average([&](std::size_t i) { return counts_[i * cells_ + k] == s ? 1.0 : 0.0; });
  }
  [[nodiscard]] double total_probability(std::int64_t n) const {
    return average([&](std::size_t i) { return total(i) == static_cast<double>(n) ? 1.0 : 0.0; });
  }
  [[nodiscard]] double expected_total() const {
    return average([&](std::size_t i) { return total(i); });
  }

 private:
  void list(std::int64_t n, double log_prior) {
    std::vector<std::int64_t> s(problem_.alpha.size());
    place(0, n, s, [&] {
      const auto total = static_cast<double>(n);
      double w = log_prior + log_factorial(total) + log_gamma(alpha0_) - log_gamma(total + alpha0_);
      for (std::size_t k = 0; k < s.size(); ++k) {
        const auto count = static_cast<double>(s[k]);
        w += log_gamma(count + problem_.alpha[k]) - log_gamma(problem_.alpha[k]) - log_factorial(count);
        w += log_seen_[k][static_cast<std::size_t>(s[k])];
      }
      counts_.insert(counts_.end(), s.begin(), s.end());
      log_weight_.push_back(w);
    });
  }
  void place(std::size_t k, std::int64_t left, std::vector<std::int64_t>& s,
             const std::function<void()>& done) {
    if (k + 1 == s.size()) {
      s[k] = left;
      done();
      return;
    }
    for (s[k] = 0; s[k] <= left; ++s[k]) {
      const std::int64_t here = s[k];
      place(k + 1, left - here, s, done);
    }
  }
  template <class F>
  [[nodiscard]] double average(const F& f) const {
    double sum = 0;
    for (std::size_t i = 0; i < weight_.size(); ++i) sum += weight_[i] * f(i);
    return sum;
  }
  [[nodiscard]] double a(std::size_t i, std::size_t k) const {
    return problem_.alpha[k] + static_cast<double>(counts_[i * cells_ + k]);
  }
  [[nodiscard]] double total(std::size_t i) const {
    double n = 0;
    for (std::size_t k = 0; k < cells_; ++k) n += static_cast<double>(counts_[i * cells_ + k]);
    return n;
  }

  CountProblem problem_;
  double alpha0_ = 0;
  std::size_t cells_ = 0;
  std::vector<std::vector<double>> log_seen_;  ///< [cell][count]
  std::vector<std::int64_t> counts_;
  std::vector<double> log_weight_;
  std::vector<double> weight_;
  double log_evidence_ = 0;
};

}  // namespace postern::infer
