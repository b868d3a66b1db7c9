#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "postern/graph/log_linear.hpp"
#include "postern/infer/markov/estimate.hpp"
#include "postern/infer/markov/problem.hpp"

namespace postern::infer::markov {

/// A problem as estimators take it: a log-linear model with one table of parameters for each different set of
/// variables, and the noisy counts of its cells. Counts of impossible cells are dropped.
struct Measurements {
  struct Value {
    std::size_t cell = 0;  ///< of the model
    double y = 0;
    /// Laplace noise has a scale b > 0, normal noise b = 0 and a variance.
    double scale = 0;
    double variance = 0;
  };

  std::shared_ptr<const graph::LogLinear> model;
  double total = 0;
  std::vector<Value> values;
  std::vector<double> zeros;   ///< theta with minus infinity at impossible cells, 0 elsewhere
  std::vector<bool> measured;  ///< cells of the model that have values; the others' parameters stay 0

  /// Fails: as estimate_markov.
  Measurements(const MarkovProblem& problem, const MarkovOptions& options);
  [[nodiscard]] std::size_t dimension() const { return zeros.size(); }
};

/// For each cell of a table over `variables`, in any order, that of the model. Fails: bad_value if the model
/// has no such clique.
[[nodiscard]] std::vector<std::size_t> cells_of_table(const Measurements& data,
                                                      const graph::Variables& variables);

/// All values of each cell as one, weighted by precision; no value: NaN and an infinite variance.
struct CellAverages {
  std::vector<double> y;
  std::vector<double> variance;
};
[[nodiscard]] CellAverages cell_averages(const Measurements& data);

}  // namespace postern::infer::markov
