#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "postern/core/draw.hpp"
#include "postern/core/rng.hpp"
#include "postern/core/special.hpp"
#include "postern/graph/log_linear.hpp"
#include "postern/infer/markov/problem.hpp"
#include "postern/release/noise_law.hpp"

namespace postern::infer::testing {

/// Means of the margins given noisy tables: potentials from the prior, each weighed by the probability of the
/// tables, summed over all data sets.
class MarkovListing {
 public:
  MarkovListing(const graph::Sizes& sizes, const std::vector<graph::Variables>& cliques,
                const MarkovProblem& problem, std::int64_t least, std::int64_t most, double sd,
                std::size_t draws)
      : model_(sizes, cliques), problem_(problem) {
    states_ = 1;
    for (const std::uint32_t size : sizes) states_ *= size;
    for (std::size_t state = 0; state < states_; ++state) {
      std::vector<std::uint32_t> levels(sizes.size());
      std::size_t rest = state;
      for (std::size_t v = sizes.size(); v-- > 0; rest /= sizes[v])
        levels[v] = static_cast<std::uint32_t>(rest % sizes[v]);
      for (std::size_t f = 0; f < cliques.size(); ++f) {
        std::size_t cell = 0;
        for (const std::uint32_t v : cliques[f]) cell = cell * sizes[v] + levels[v];
        cells_.push_back(model_.offset(f) + cell);
      }
    }
    counts_.assign(states_, 0);
    for (std::int64_t n = least; n <= most; ++n) place(0, n, log_factorial(static_cast<double>(n)));
    average(sd, draws, most);
  }
  std::vector<double> means;
  std::vector<double> errors;

 private:
  struct DataSet {
    double weight = 0;  ///< orders times the probability of the noise
    std::vector<std::pair<std::size_t, std::size_t>> counts;
  };
  void place(std::size_t state, std::int64_t left, double log_orders) {
    if (state + 1 < states_) {
      for (counts_[state] = 0; counts_[state] <= left; ++counts_[state])
        place(state + 1, left - counts_[state],
              log_orders - log_factorial(static_cast<double>(counts_[state])));
      counts_[state] = 0;
      return;
    }
    counts_[state] = left;
    std::vector<double> cells(model_.dimension());
    DataSet one{log_orders - log_factorial(static_cast<double>(left)), {}};
    const std::size_t cliques = model_.cliques().size();
    for (std::size_t s = 0; s < states_; ++s) {
      if (counts_[s] == 0) continue;
      one.counts.emplace_back(s, static_cast<std::size_t>(counts_[s]));
      for (std::size_t f = 0; f < cliques; ++f)
        cells[cells_[s * cliques + f]] += static_cast<double>(counts_[s]);
    }
    for (std::size_t f = 0; f < cliques; ++f) {
      for (std::size_t i = model_.offset(f); i < model_.offset(f + 1); ++i)
        one.weight += release::log_pmf(problem_.tables[f].law,
                                       problem_.tables[f].values[i - model_.offset(f)] - cells[i]);
    }
    one.weight = std::exp(one.weight);
    sets_.push_back(std::move(one));
  }
  /// Of all draws from the prior, weighed by the probability of the tables under each.
  void average(double sd, std::size_t draws, std::int64_t most) {
    Rng rng(77, 1000, Purpose::test);
    std::vector<double> theta(model_.dimension());
    std::vector<double> p(states_);
    const std::size_t row = static_cast<std::size_t>(most) + 1;
    std::vector<double> powers(states_ * row, 1.0);  // of p, [state][count]
    std::vector<std::vector<double>> margins;
    std::vector<double> weights;
    const std::size_t cliques = model_.cliques().size();
    for (std::size_t d = 0; d < draws; ++d) {
      for (double& one : theta) one = sd * draw_normal(rng);
      double sum = 0;
      for (std::size_t s = 0; s < states_; ++s) {
        double log = 0;
        for (std::size_t f = 0; f < cliques; ++f) log += theta[cells_[s * cliques + f]];
        sum += p[s] = std::exp(log);
      }
      std::vector<double> own(model_.dimension());
      for (std::size_t s = 0; s < states_; ++s) {
        p[s] /= sum;
        for (std::size_t k = 1; k < row; ++k) powers[s * row + k] = powers[s * row + k - 1] * p[s];
        for (std::size_t f = 0; f < cliques; ++f) own[cells_[s * cliques + f]] += p[s];
      }
      double weight = 0;
      for (const DataSet& set : sets_) {
        double product = set.weight;
        for (const auto& [state, count] : set.counts) product *= powers[state * row + count];
        weight += product;
      }
      weights.push_back(weight);
      margins.push_back(std::move(own));
    }
    double all = 0;
    for (const double w : weights) all += w;
    means.assign(model_.dimension(), 0);
    errors.assign(model_.dimension(), 0);
    for (std::size_t d = 0; d < draws; ++d) {
      for (std::size_t i = 0; i < means.size(); ++i) means[i] += weights[d] / all * margins[d][i];
    }
    for (std::size_t d = 0; d < draws; ++d) {
      for (std::size_t i = 0; i < means.size(); ++i)
        errors[i] += std::pow(weights[d] / all * (margins[d][i] - means[i]), 2);
    }
    for (double& error : errors) error = std::sqrt(error);
  }

  graph::LogLinear model_;
  const MarkovProblem& problem_;
  std::size_t states_ = 1;
  std::vector<std::size_t> cells_;
  std::vector<std::int64_t> counts_;
  std::vector<DataSet> sets_;
};

}  // namespace postern::infer::testing
