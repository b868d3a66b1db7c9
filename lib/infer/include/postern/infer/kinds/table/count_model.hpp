#pragma once

#include <optional>
#include <string>
#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/infer/kinds/table/problem.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// A quantity people ask for: one cell's probability.
struct CellQuantity {
  std::string name;   ///< theta, p.1
  std::string label;  ///< P(smoker = yes)
  std::size_t cell = 0;
};

/// A model of counts as the engines see it: cells, their Dirichlet prior, what is reported.
struct CountModel {
  std::vector<double> alpha;  ///< prior and public rows
  std::vector<CellQuantity> quantities;
};

/// The prior of `options` if it has one, else the release's; public rows are an exact conjugate update of it.
[[nodiscard]] CountModel make_count_model(const model::Study& study, const InferOptions& options);

/// What one record set's releases say about its counts: every block of every release is one more noisy value
/// of the same latent table. Throws releases_conflict if they disagree about n.
[[nodiscard]] CountProblem make_count_problem(const CountModel& model, const release::RecordSet& releases);

}  // namespace postern::infer
