#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "postern/core/special.hpp"
#include "postern/infer/network/problem.hpp"
#include "postern/model/helmert.hpp"

#include "brute_noise.hpp"

namespace postern::infer {

/// The posterior of a small network whose rows' prior is learned, by listing every latent data set, every
/// concentration of the grid and, where centres are learned, a fine line of centres of two levels. n is
/// known, or in 0..at_most with what its prior and all values say (nothing is cut).
class LearnedReference {
 public:
  struct Moments {
    double mean = 0;
    double square = 0;
    [[nodiscard]] double sd() const { return std::sqrt(std::max(square - mean * mean, 0.0)); }
  };

  explicit LearnedReference(const NetworkProblem& problem) : problem_(problem) {
    for (const std::uint32_t size : problem.sizes) states_ *= size;
    std::size_t quantities = 1;
    for (const NetworkFamily& family : problem.families) quantities += family.alpha.size();
    sums_.resize(quantities);
    for (int i = 0; i < 5; ++i) {
      grid_.push_back(problem.learned->scale * 0.1 * std::pow(10, i));
      grid_.push_back(3 * grid_.back());
    }
    grid_.push_back(problem.learned->scale * 1e4);
    for (std::size_t v = 0; v < problem.sizes.size(); ++v) centres_.push_back(centres_of(v));
    counts_.assign(states_, 0);
    if (const auto* latent = std::get_if<LatentTotal>(&problem.total)) {
      for (std::int64_t n = 0; n <= latent->at_most; ++n) place(0, n, n, latent->log_slope);
    } else {
      const std::int64_t n = std::get<KnownTotal>(problem.total).n;
      place(0, n, n, 0);
    }
    for (Moments& moments : sums_) {
      moments.mean /= mass_;
      moments.square /= mass_;
    }
  }
  /// In the order of families and cells; the last is n.
  [[nodiscard]] const std::vector<Moments>& moments() const { return sums_; }

 private:
  using Table = std::vector<double>;

  /// q ~ Dirichlet(1/2, 1/2) = sin^2 of an even angle.
  [[nodiscard]] std::vector<std::vector<double>> centres_of(std::size_t v) const {
    const LearnedRows& prior = *problem_.learned;
    if (!prior.centres.empty() && !prior.centres[v].empty()) return {prior.centres[v]};
    if (problem_.families[v].variables.size() == 1)
      return {std::vector<double>(problem_.sizes[v], 1.0 / problem_.sizes[v])};
    constexpr int kPoints = 64;
    std::vector<std::vector<double>> out;
    for (int i = 0; i < kPoints; ++i) {
      const double s = std::sin((i + 0.5) / kPoints * std::acos(-1) / 2);
      out.push_back({s * s, 1 - s * s});
    }
    return out;
  }

  void place(std::size_t state, std::int64_t left, std::int64_t n, double slope) {
    for (std::int64_t c = state + 1 == states_ ? left : 0; c <= left; ++c) {
      counts_[state] = static_cast<double>(c);
      if (state + 1 == states_) {
        weigh(n, slope);
      } else {
        place(state + 1, left - c, n, slope);
      }
    }
  }

  [[nodiscard]] Table table_of(const NetworkFamily& family) const {
    Table table(family.alpha.size(), 0);
    for (std::size_t state = 0; state < states_; ++state) {
      std::vector<std::size_t> level(problem_.sizes.size());
      for (std::size_t v = level.size(), left = state; v-- > 0; left /= problem_.sizes[v])
        level[v] = left % problem_.sizes[v];
      std::size_t cell = 0;
      for (const std::uint32_t v : family.variables) cell = cell * problem_.sizes[v] + level[v];
      table[cell] += counts_[state];
    }
    return table;
  }

  /// What the records add up to in a Fourier coefficient.
  [[nodiscard]] double value_of(const NoisyCoefficient& one) const {
    double out = 0;
    for (std::size_t state = 0; state < states_; ++state) {
      double product = counts_[state];
      for (std::size_t i = 0; i < one.variables.size(); ++i) {
        std::size_t inner = 1;
        for (std::size_t v = one.variables[i] + 1; v < problem_.sizes.size(); ++v) inner *= problem_.sizes[v];
        const auto level = static_cast<std::uint32_t>(state / inner % problem_.sizes[one.variables[i]]);
        product *= static_cast<double>(model::contrast(one.contrasts[i], level));
      }
      out += product;
    }
    return out;
  }

  /// A family's factor, and of each of its cells the moments of theta times that factor.
  struct Factor {
    double all = 0;
    std::vector<Moments> cells;
  };
  [[nodiscard]] Factor factor_of(std::size_t v, const Table& table) const {
    const std::size_t levels = problem_.sizes[v];
    const std::size_t rows = table.size() / levels;
    Factor out{0, std::vector<Moments>(table.size())};
    for (const std::vector<double>& q : centres_[v]) {
      std::vector<double> each(rows);
      std::vector<Moments> cells(table.size());
      double product = 1;
      for (std::size_t r = 0; r < rows; ++r) {
        for (const double a : grid_) {
          double log = 0;
          double whole = a;
          for (std::size_t k = 0; k < levels; ++k) {
            const std::size_t cell = r * levels + k;
            const double known = problem_.learned->known.empty() ? 0 : problem_.learned->known[v][cell];
            log += log_rising(a * q[k], table[cell] + known);
            whole += table[cell] + known;
          }
          const double weight = std::exp(log - log_rising(a, whole - a)) / static_cast<double>(grid_.size());
          each[r] += weight;
          for (std::size_t k = 0; k < levels; ++k) {
            const std::size_t cell = r * levels + k;
            const double known = problem_.learned->known.empty() ? 0 : problem_.learned->known[v][cell];
            const double own = a * q[k] + table[cell] + known;
            cells[cell].mean += weight * own / whole;
            cells[cell].square += weight * own * (own + 1) / (whole * (whole + 1));
          }
        }
        product *= each[r];
      }
      out.all += product;
      for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        out.cells[cell].mean += product / each[cell / levels] * cells[cell].mean;
        out.cells[cell].square += product / each[cell / levels] * cells[cell].square;
      }
    }
    return out;
  }

  void weigh(std::int64_t n, double slope) {
    double log = slope * static_cast<double>(n) + log_factorial(static_cast<double>(n));
    for (const double c : counts_) log -= log_factorial(c);
    for (const NoisyCoefficient& one : problem_.coefficients)
      log += brute_log_likelihood(one.value, value_of(one));
    double product = 1;
    std::vector<Factor> factors;
    for (std::size_t v = 0; v < problem_.families.size(); ++v) {
      const Table table = table_of(problem_.families[v]);
      for (std::size_t cell = 0; cell < table.size(); ++cell) {
        for (const NoisyValue& noisy : problem_.families[v].noisy_values[cell])
          log += brute_log_likelihood(noisy, table[cell]);
      }
      factors.push_back(factor_of(v, table));
      product *= factors.back().all;
    }
    const double weight = std::exp(log) * product;
    mass_ += weight;
    std::size_t q = 0;
    for (const Factor& factor : factors) {
      for (const Moments& cell : factor.cells) {
        sums_[q].mean += weight * cell.mean / factor.all;
        sums_[q++].square += weight * cell.square / factor.all;
      }
    }
    const auto x = static_cast<double>(n);
    sums_[q].mean += weight * x;
    sums_[q].square += weight * x * x;
  }

  NetworkProblem problem_;
  std::size_t states_ = 1;
  std::vector<double> grid_;
  std::vector<std::vector<std::vector<double>>> centres_;  ///< per variable: as likely as one another
  std::vector<double> counts_;
  std::vector<Moments> sums_;
  double mass_ = 0;
};

}  // namespace postern::infer
