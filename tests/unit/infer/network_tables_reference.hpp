#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/network/problem.hpp"
#include "postern/model/helmert.hpp"

#include "brute_noise.hpp"

namespace postern::infer {

/// The posterior of a small network by listing every latent data set, as counts of whole records: moments of
/// each CPT entry and of n, and the evidence. Knows nothing of trees, leaves or messages.
class NetworkReference {
 public:
  struct Moments {
    double mean = 0;
    double square = 0;
    [[nodiscard]] double sd() const { return std::sqrt(std::max(square - mean * mean, 0.0)); }
  };

  explicit NetworkReference(const NetworkProblem& problem) : problem_(problem) {
    states_ = 1;
    for (const std::uint32_t size : problem.sizes) states_ *= size;
    std::size_t quantities = 1;
    for (const NetworkFamily& family : problem.families) quantities += family.alpha.size();
    sums_.resize(quantities);
    record_cells();
    counts_.assign(states_, 0);
    if (const auto* latent = std::get_if<LatentTotal>(&problem.total)) {
      for (std::int64_t n = 0; n <= latent->at_most; ++n) {
        log_prior_ = latent->log_slope * static_cast<double>(n);
        place(0, n, n);
      }
    } else {
      const std::int64_t n = std::get<KnownTotal>(problem.total).n;
      place(0, n, n);
    }
    for (Moments& moments : sums_) {
      moments.mean /= mass_;
      moments.square /= mass_;
    }
  }

  /// In the order of families and cells; the last is n.
  [[nodiscard]] const std::vector<Moments>& moments() const { return sums_; }
  [[nodiscard]] double log_evidence() const { return std::log(mass_); }  ///< p(n) taken as e^{slope n}

 private:
  void record_cells() {
    for (std::size_t state = 0; state < states_; ++state) {
      std::vector<std::size_t> level(problem_.sizes.size());
      std::size_t left = state;
      for (std::size_t v = level.size(); v-- > 0;) {
        level[v] = left % problem_.sizes[v];
        left /= problem_.sizes[v];
      }
      std::vector<std::size_t>& cells = cells_.emplace_back();
      for (const NetworkFamily& family : problem_.families) {
        std::size_t cell = 0;
        for (const std::uint32_t v : family.variables) cell = cell * problem_.sizes[v] + level[v];
        cells.push_back(cell);
      }
    }
  }

  void place(std::size_t state, std::int64_t left, std::int64_t n) {
    if (state + 1 == states_) {
      counts_[state] = left;
      weigh(n);
      return;
    }
    for (std::int64_t c = 0; c <= left; ++c) {
      counts_[state] = c;
      place(state + 1, left - c, n);
    }
  }

  void weigh(std::int64_t n) {
    double log_weight = log_prior_ + log_factorial(static_cast<double>(n));
    for (const std::int64_t c : counts_) log_weight -= log_factorial(static_cast<double>(c));
    tables_.clear();
    for (std::size_t v = 0; v < problem_.families.size(); ++v) {
      const NetworkFamily& family = problem_.families[v];
      std::vector<double>& table = tables_.emplace_back(family.alpha.size(), 0.0);
      for (std::size_t state = 0; state < states_; ++state)
        table[cells_[state][v]] += static_cast<double>(counts_[state]);
      const std::size_t levels = problem_.sizes[v];
      for (std::size_t row = 0; row < table.size(); row += levels) {
        double alpha = 0;
        double records = 0;
        for (std::size_t k = row; k < row + levels; ++k) {
          log_weight += log_rising(family.alpha[k], table[k]);
          for (const NoisyValue& noisy : family.noisy_values[k])
            log_weight += brute_log_likelihood(noisy, table[k]);
          alpha += family.alpha[k];
          records += table[k];
        }
        log_weight -= log_rising(alpha, records);
      }
    }
    add(std::exp(log_weight + log_of_sums()), n);
  }

  /// What coefficients and choices say, by their definitions.
  [[nodiscard]] double log_of_sums() const {
    double out = 0;
    for (const NoisyCoefficient& one : problem_.coefficients) {
      double value = 0;
      for (std::size_t state = 0; state < states_; ++state) {
        double product = static_cast<double>(counts_[state]);
        for (std::size_t i = 0; i < one.variables.size(); ++i)
          product *=
              static_cast<double>(model::contrast(one.contrasts[i], level_of(state, one.variables[i])));
        value += product;
      }
      out += release::log_pmf(one.value.law, one.value.y - value);
    }
    for (const NetworkChoice& one : problem_.choices) {
      const double* row = tables_[one.variable].data() + one.row * problem_.sizes[one.variable];
      double below = 0;
      double above = 0;
      for (std::uint32_t l = one.first; l < one.last; ++l) (l < one.middle ? below : above) += row[l];
      out += one.law->log_probability(one.chosen, static_cast<std::int64_t>(below),
                                      static_cast<std::int64_t>(above));
    }
    return out;
  }
  [[nodiscard]] std::uint32_t level_of(std::size_t state, std::uint32_t variable) const {
    for (std::size_t v = problem_.sizes.size(); v-- > variable + 1;) state /= problem_.sizes[v];
    return static_cast<std::uint32_t>(state % problem_.sizes[variable]);
  }

  void add(double weight, std::int64_t n) {
    mass_ += weight;
    std::size_t q = 0;
    for (std::size_t v = 0; v < tables_.size(); ++v) {
      const std::size_t levels = problem_.sizes[v];
      for (std::size_t k = 0; k < tables_[v].size(); ++k, ++q) {
        double whole = 0;
        const std::size_t row = k - k % levels;
        for (std::size_t j = row; j < row + levels; ++j)
          whole += problem_.families[v].alpha[j] + tables_[v][j];
        const double a = problem_.families[v].alpha[k] + tables_[v][k];
        sums_[q].mean += weight * a / whole;
        sums_[q].square += weight * a * (a + 1) / (whole * (whole + 1));
      }
    }
    const auto x = static_cast<double>(n);
    sums_[q].mean += weight * x;
    sums_[q].square += weight * x * x;
  }

  NetworkProblem problem_;
  std::size_t states_ = 0;
  std::vector<std::vector<std::size_t>> cells_;  ///< [state][family]
  std::vector<std::int64_t> counts_;
  std::vector<std::vector<double>> tables_;
  std::vector<Moments> sums_;
  double mass_ = 0;
  double log_prior_ = 0;
};

}  // namespace postern::infer
