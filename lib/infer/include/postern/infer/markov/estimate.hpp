#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "postern/core/stop.hpp"
#include "postern/graph/log_linear.hpp"
#include "postern/infer/markov/problem.hpp"

namespace postern::infer {

/// How a Markov network is learnt from noisy tables. docs/engines/estimators.md says which when.
enum class MarkovEstimator {
  na_map,   ///< noise-aware: the mode of the parameters given the tables; the default
  naive,    ///< tables projected to the simplex, then maximum likelihood with a ridge
  em,       ///< collective graphical model: EM with an exact E step, stopped by the discrepancy
  nlbp,     ///< the same with non-linear belief propagation as its E step
  l2,       ///< the margins of least squared distance to the tables, each cell weighed by its noise
  l1,       ///< and of least absolute distance
  pgm,      ///< mirror descent on the squared distance, stopped after `iterations`
  uniform,  ///< a floor: all states alike
  random    ///< a floor: random tables instead of the released ones, then `naive`
};
inline constexpr std::array kMarkovEstimators{
    MarkovEstimator::na_map, MarkovEstimator::naive,   MarkovEstimator::em,
    MarkovEstimator::nlbp,   MarkovEstimator::l2,      MarkovEstimator::l1,
    MarkovEstimator::pgm,    MarkovEstimator::uniform, MarkovEstimator::random};
[[nodiscard]] std::string_view markov_estimator_name(MarkovEstimator estimator);  // "na-map"
[[nodiscard]] std::optional<MarkovEstimator> find_markov_estimator(std::string_view name);

struct MarkovOptions {
  /// na_map: variance of the normal prior of each parameter; nothing: by empirical Bayes.
  std::optional<double> prior_variance = {};
  double ridge = 1e-3;  ///< naive, random: what multiplies |theta|^2, a record
  /// em, nlbp: stop once steps add up to this bound of |theta|, instead of by the discrepancy.
  std::optional<double> radius = {};
  int iterations = 0;      ///< at most; 0: the estimator's own limit
  double tolerance = 0;    ///< of the certificate, in nats; 0: the estimator's own
  std::uint64_t seed = 1;  ///< random
  double most_bytes = graph::kPropagationBytes;
  std::span<const std::string> names = {};  ///< of the variables, for refusals
};

/// Why an estimator stopped.
enum class MarkovStop {
  closed_form,  ///< nothing to iterate
  certified,    ///< the certificate is within the tolerance
  discrepancy,  ///< tables are as far from the fit as their noise is large, or hardly come nearer
  radius,       ///< the bound of |theta| was reached
  iterations,   ///< the limit was reached: a result, and not the optimum
  precision     ///< no step improves the objective in double precision
};
[[nodiscard]] std::string_view markov_stop_name(MarkovStop stop);  // "certified"

/// A Markov network learnt from noisy tables.
struct MarkovFit {
  std::shared_ptr<const graph::LogLinear> model;  ///< one clique for each different set of variables
  std::vector<double> theta;                      ///< of model; minus infinity at impossible cells
  std::vector<double> marginals;                  ///< of model's cells, probabilities
  double log_partition = 0;
  double total = 0;  ///< n, as known or estimated
  MarkovStop stop = MarkovStop::closed_form;
  /// How far the objective is from its optimum, in nats: a duality gap for em, l1, l2 and naive, half the
  /// Newton decrement for na_map. Nothing for estimators without one.
  std::optional<double> certificate;
  double objective = 0;                  ///< the estimator's own, up to a constant
  int iterations = 0;                    ///< outer ones
  int propagations = 0;                  ///< passes through the junction tree, derivatives among them
  std::optional<double> prior_variance;  ///< na_map: given, or by empirical Bayes
};

/// Learns a network. The same problem, options and seed give the same fit. Fails: bad_value for tables that
/// do not fit their variables, values that are no numbers, impossible cells that leave no state;
/// engine_limit if the junction tree needs more than options.most_bytes, with its three largest cliques;
/// interrupted.
[[nodiscard]] MarkovFit estimate_markov(const MarkovProblem& problem, MarkovEstimator estimator,
                                        const MarkovOptions& options, const Conversation& conversation);

}  // namespace postern::infer
