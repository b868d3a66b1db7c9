#pragma once

#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/infer/network/problem.hpp"
#include "postern/model/kinds/bayes_net.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

// A study here is one whose model is a Bayesian network. Of a decomposable Markov network it is the study
// with the same model, written as one; releases are then of the original study.

/// The network with its prior (that of the options, if they have one) and public rows, which are an exact
/// conjugate update of it; without what releases say.
[[nodiscard]] NetworkProblem start_network(const model::Study& study, const InferOptions& options);

/// Adds what one record set's releases say: every block of every release is one more noisy value of the same
/// latent tables. Throws releases_conflict if they disagree about n.
[[nodiscard]] NetworkProblem make_network_problem(const model::Study& study,
                                                  const release::RecordSet& releases,
                                                  const InferOptions& options);

/// The means of all tables' cells under the prior.
[[nodiscard]] std::vector<double> prior_means(const NetworkProblem& problem);

/// No place: nothing tells what is behind a released value.
inline constexpr std::size_t kNoCell = ~std::size_t{0};
/// Where the cells behind each released noisy value are, block by block: among those of the families, one
/// after the other, then of the problem's other tables, and then of its coefficients. @pre the problem is
/// made of these releases
[[nodiscard]] std::vector<std::size_t> released_cells(const model::Study& study,
                                                      const release::RecordSet& releases,
                                                      NetworkProblem problem);

}  // namespace postern::infer
