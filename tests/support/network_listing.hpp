#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "postern/core/special.hpp"
#include "postern/infer/network/problem.hpp"

#include "brute_noise.hpp"

namespace postern::infer {

/// The posterior of a discrete Bayesian network by listing every data set: the definition itself, for small
/// problems. A data set is a count for each joint level of all variables.
class NetworkListing {
 public:
  explicit NetworkListing(const NetworkProblem& problem) : problem_(problem) {
    for (const std::uint32_t size : problem.sizes) joint_ *= size;
    for (const NetworkFamily& family : problem.families) {
      first_.push_back(cells_);
      cells_ += family.alpha.size();
    }
    if (const auto* known = std::get_if<KnownTotal>(&problem.total)) {
      list(known->n, 0);
    } else {
      const auto& latent = std::get<LatentTotal>(problem.total);
      std::vector<double> prior;
      for (std::int64_t n = 0; n <= latent.at_most; ++n)
        prior.push_back(latent.log_slope * static_cast<double>(n));
      const double norm = log_sum_exp(prior);
      for (std::int64_t n = 0; n <= latent.at_most; ++n) list(n, prior[static_cast<std::size_t>(n)] - norm);
    }
    log_evidence_ = log_sum_exp(log_weight_);
  }

  [[nodiscard]] std::size_t cells() const { return cells_; }
  [[nodiscard]] double log_evidence() const { return log_evidence_; }
  [[nodiscard]] double total_probability(std::int64_t n) const {
    return average([&](std::size_t i) { return totals_[i] == n ? 1.0 : 0.0; });
  }
  /// E[theta^power] of a cell, power 1 or 2.
  [[nodiscard]] double moment(std::size_t cell, int power) const {
    return average([&](std::size_t i) {
      const auto [a, whole] = row_of(i, cell);
      return power == 1 ? a / whole : a * (a + 1) / (whole * (whole + 1));
    });
  }
  [[nodiscard]] double mean(std::size_t cell) const { return moment(cell, 1); }
  [[nodiscard]] double sd(std::size_t cell) const {
    return std::sqrt(moment(cell, 2) - mean(cell) * mean(cell));
  }
  /// p(record | y); a level of -1 is summed over.
  [[nodiscard]] double predictive(const std::vector<std::int32_t>& record) const {
    double sum = 0;
    for (std::size_t joint = 0; joint < joint_; ++joint) {
      bool meant = true;
      for (std::size_t v = 0; v < record.size(); ++v)
        meant = meant && (record[v] < 0 || level(joint, v) == static_cast<std::size_t>(record[v]));
      if (!meant) continue;
      sum += average([&](std::size_t i) {
        double p = 1;
        for (std::size_t v = 0; v < record.size(); ++v) {
          const auto [a, whole] = row_of(i, first_[v] + cell_in(v, joint));
          p *= a / whole;
        }
        return p;
      });
    }
    return sum;
  }

 private:
  /// Variable 0 is the slowest.
  [[nodiscard]] std::size_t level(std::size_t joint, std::size_t variable) const {
    for (std::size_t v = problem_.sizes.size() - 1; v > variable; --v) joint /= problem_.sizes[v];
    return joint % problem_.sizes[variable];
  }
  [[nodiscard]] std::size_t cell_in(std::size_t variable, std::size_t joint) const {
    std::size_t cell = 0;
    for (const std::uint32_t v : problem_.families[variable].variables)
      cell = cell * problem_.sizes[v] + level(joint, v);
    return cell;
  }
  struct RowShare {
    double mine = 0;   ///< alpha + count of the cell
    double whole = 0;  ///< of its row
  };
  [[nodiscard]] RowShare row_of(std::size_t data_set, std::size_t cell) const {
    std::size_t v = 0;
    while (v + 1 < first_.size() && first_[v + 1] <= cell) ++v;
    const std::size_t levels = problem_.sizes[v];
    const std::size_t row = (cell - first_[v]) / levels * levels;
    RowShare out;
    for (std::size_t k = row; k < row + levels; ++k) {
      const double a = problem_.families[v].alpha[k] + counts_[data_set * cells_ + first_[v] + k];
      out.whole += a;
      if (first_[v] + k == cell) out.mine = a;
    }
    return out;
  }

  void list(std::int64_t n, double log_prior) {
    std::vector<std::int64_t> data(joint_);
    const std::function<void(std::size_t, std::int64_t)> fill = [&](std::size_t at, std::int64_t left) {
      if (at + 1 == joint_) {
        data[at] = left;
        add(data, n, log_prior);
        return;
      }
      for (data[at] = 0; data[at] <= left; ++data[at]) fill(at + 1, left - data[at]);
    };
    fill(0, n);
  }

  void add(const std::vector<std::int64_t>& data, std::int64_t n, double log_prior) {
    double log_weight = log_prior + log_factorial(static_cast<double>(n));
    for (const std::int64_t count : data) log_weight -= log_factorial(static_cast<double>(count));
    const std::size_t base = counts_.size();
    counts_.resize(base + cells_);
    for (std::size_t v = 0; v < problem_.sizes.size(); ++v) {
      double* counts = counts_.data() + base + first_[v];
      for (std::size_t j = 0; j < joint_; ++j) counts[cell_in(v, j)] += static_cast<double>(data[j]);
      log_weight += family_weight(problem_.families[v], problem_.sizes[v], counts);
    }
    log_weight_.push_back(log_weight);
    totals_.push_back(n);
  }

  [[nodiscard]] static double family_weight(const NetworkFamily& family, std::size_t levels,
                                            const double* counts) {
    double sum = 0;
    for (std::size_t row = 0; row < family.alpha.size(); row += levels) {
      double alpha0 = 0;
      double total = 0;
      for (std::size_t k = row; k < row + levels; ++k) {
        alpha0 += family.alpha[k];
        total += counts[k];
        sum += log_gamma(family.alpha[k] + counts[k]) - log_gamma(family.alpha[k]);
        for (const NoisyValue& value : family.noisy_values[k]) sum += brute_log_likelihood(value, counts[k]);
      }
      sum += log_gamma(alpha0) - log_gamma(alpha0 + total);
    }
    return sum;
  }

  template <class F>
  [[nodiscard]] double average(const F& f) const {
    double sum = 0;
    for (std::size_t i = 0; i < totals_.size(); ++i) sum += std::exp(log_weight_[i] - log_evidence_) * f(i);
    return sum;
  }

  NetworkProblem problem_;
  std::size_t joint_ = 1;
  std::size_t cells_ = 0;
  std::vector<std::size_t> first_;  ///< cell of each family
  std::vector<double> counts_;      ///< of all families' cells, data set by data set
  std::vector<std::int64_t> totals_;
  std::vector<double> log_weight_;
  double log_evidence_ = 0;
};

}  // namespace postern::infer
