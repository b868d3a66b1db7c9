#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "postern/core/stop.hpp"
#include "postern/graph/junction_tree.hpp"
#include "postern/infer/chains/driver.hpp"
#include "postern/infer/markov/problem.hpp"

namespace postern::infer {

/// Free potentials that chains take at most: they hold dense matrices of twice as many rows.
inline constexpr std::size_t kMostPotentials = 2000;

/// How the posterior of a Markov network's potentials is drawn; posterior.md beside the source.
enum class MarkovSampler {
  /// Tables are n mu + a normal sampling error, correlated as those of one data set are, + noise. Right where
  /// noise is larger than what tells whole numbers apart.
  potentials,
  /// Integer tables of a junction tree and potentials in turn: the posterior itself.
  tables
};

/// The scale of Laplace noise, or that of normal noise of the same variance, least of all tables. From 10 on
/// `potentials` is both right and faster.
[[nodiscard]] double least_noise_scale(const MarkovProblem& problem);
inline constexpr double kLargeNoise = 10;

struct MarkovPosteriorOptions {
  /// Of the normal prior of each potential, about 0; nothing: by empirical Bayes.
  std::optional<double> prior_variance = {};
  double most_bytes = graph::kPropagationBytes;
  std::span<const std::string> names = {};  ///< of the variables, for refusals
};

/// What is reported of each draw: P(last | the others) of each family, cell by cell, then the joint
/// probabilities of each margin, then n where it is latent.
struct MarkovReport {
  graph::JunctionTree tree;  ///< holds every clique of the problem, every family and every margin
  std::vector<graph::Variables> families;
  std::vector<graph::Variables> margins = {};
};

/// Draws from the posterior of a network given noisy tables. The same problem, options and seed give the same
/// draws, whatever the threads. Fails: as estimate_markov; engine_limit for more than kMostPotentials free
/// potentials; unsupported for impossible cells.
[[nodiscard]] ChainRun draw_markov_posterior(const MarkovProblem& problem, MarkovSampler sampler,
                                             const MarkovReport& report,
                                             const MarkovPosteriorOptions& options,
                                             const DriverOptions& driver, const Conversation& conversation);

}  // namespace postern::infer
