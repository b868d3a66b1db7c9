#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "postern/infer/markov/estimate.hpp"

#include "psgd.hpp"
#include "truth.hpp"

namespace postern::cgm17 {

/// A law that a method learnt, and the CPU seconds of one thread that this took.
struct Learnt {
  std::vector<double> theta;
  std::vector<double> marginals;
  double seconds = 0;
};

[[nodiscard]] double thread_seconds();

/// Naive maximum likelihood with or without the projection of each table to the simplex.
[[nodiscard]] Learnt naive_without_projection(const infer::MarkovProblem& problem, double ridge);
[[nodiscard]] Learnt learn(const infer::MarkovProblem& problem, infer::MarkovEstimator estimator,
                           const infer::MarkovOptions& options = {});

/// The descent's grid at this n.
[[nodiscard]] std::vector<Descent> descent_grid(std::size_t n, bool quick);
/// Fails to attain the epsilon: nothing learnt.
[[nodiscard]] Learnt learn_by_descent(const Truth& truth, const Population& population,
                                      const Descent& descent, double epsilon, double delta, Rng& rng);
/// The variance of normal noise for tables at the same epsilon and delta.
[[nodiscard]] double gaussian_variance(const Truth& truth, double epsilon, double delta);

}  // namespace postern::cgm17
