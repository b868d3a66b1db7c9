#pragma once

#include "postern/infer/infer.hpp"
#include "postern/infer/network/problem.hpp"
#include "postern/model/kinds/markov_chain.hpp"
#include "postern/model/plan.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// A chain's two tables as networks of counts: the first states of people, and transitions as a state and the
/// next one. Weights are taken for whole transitions (markov_chain.md): noisy values are in transitions, not
/// in their parts, and their noise is continuous.
struct ChainProblem {
  NetworkProblem initial;      ///< one variable
  NetworkProblem transitions;  ///< state, next
};

/// Without what releases say; with the prior of the options, if they have one.
[[nodiscard]] ChainProblem start_chain(const model::Study& study, const InferOptions& options);
/// Throws engine_unsuitable for a release that holds something else.
[[nodiscard]] ChainProblem make_chain_problem(const release::RecordSet& releases,
                                              const InferOptions& options);
/// As if every cell had come out alike: for forecasts.
[[nodiscard]] ChainProblem expected_chain_problem(const model::Study& study, const model::NoisePlan& plan,
                                                  std::int64_t n);

}  // namespace postern::infer
