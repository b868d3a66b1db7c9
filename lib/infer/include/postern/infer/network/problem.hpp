#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "postern/infer/kinds/total.hpp"
#include "postern/infer/network/grid_law.hpp"
#include "postern/infer/noise/noisy_value.hpp"

namespace postern::infer {

/// A variable given its parents: one Dirichlet a row of the conditional probability table.
struct NetworkFamily {
  std::vector<std::uint32_t> variables;  ///< the parents in their order, then the variable itself
  /// One a cell of the table over `variables`, row-major: a row of the CPT is contiguous.
  std::vector<double> alpha;
  std::vector<std::vector<NoisyValue>> noisy_values;  ///< per cell; a cell may have none
};

/// A released value of sum over the records of prod_i w^{contrasts_i}(x_i) (postern/model/helmert.hpp). Of no
/// variables: of n.
struct NoisyCoefficient {
  std::vector<std::uint32_t> variables;  ///< increasing
  std::vector<std::uint32_t> contrasts;  ///< one each, from 1 on
  NoisyValue value;
};

/// A released choice of the probability of one split of one row of a CPT: levels first..middle-1 of the
/// variable rather than middle..last-1.
struct NetworkChoice {
  std::uint32_t variable = 0;
  std::size_t row = 0;  ///< of its family, row-major over the parents in their order
  std::uint32_t first = 0;
  std::uint32_t middle = 1;
  std::uint32_t last = 2;
  std::shared_ptr<const GridLaw> law;
  std::size_t chosen = 0;
};

/// A released table of variables that are no family: of a clique within another, or a margin.
struct NoisyMargin {
  std::vector<std::uint32_t> variables;
  std::vector<std::vector<NoisyValue>> noisy_values;  ///< per cell, row-major
};

/// A prior whose scale is learned: row r of a variable's table ~ Dirichlet(A_r q), every row with a
/// concentration A_r of its own from a grid that is even in log A (0.1 to 10^4 records), the rows of a table
/// with one centre q ~ Dirichlet(1/2). Of a variable without parents q is even. The alpha of families are
/// then first guesses alone.
struct LearnedRows {
  double scale = 1;  ///< multiplies the grid
  /// q of each variable, if it is given rather than learned; or none at all, or empty for some.
  std::vector<std::vector<double>> centres = {};
  /// Records that are known to be in the cells of each family, as its alpha; or none.
  std::vector<std::vector<double>> known = {};
  /// n from the released totals alone, where they tell it: what cells say of n by the shape that their prior
  /// takes them to have is cut off.
  bool cut_total = true;
  /// q of a column from what the tables say of that column alone, where they tell it; else from the rows'
  /// cells, too.
  bool cut_centres = false;
};

/// What the releases of one record set say about the family tables of a discrete Bayesian network. All tables
/// are margins of one latent data set of n records.
struct NetworkProblem {
  std::vector<std::uint32_t> sizes;     ///< levels of each variable
  std::vector<NetworkFamily> families;  ///< families[v] is that of variable v; parents form no cycle
  std::variant<KnownTotal, LatentTotal> total;
  std::vector<NoisyMargin> tables = {};  ///< released beside those of the families
  /// Of Fourier releases, whose noise is on sums of cells. Engines that do not take them refuse.
  std::vector<NoisyCoefficient> coefficients;
  /// Of releases that chose probabilities. Engines that do not take them refuse.
  std::vector<NetworkChoice> choices;
  /// Of several record sets: what is known of the number of records of each. The last variable then says to
  /// which set a record belongs, and has no parents and no children. Empty for one set.
  std::vector<std::variant<KnownTotal, LatentTotal>> sets;
  std::optional<LearnedRows> learned = std::nullopt;  ///< the prior, instead of the families' alpha

  /// Is this variable a column, rather than the one that tells sets apart?
  [[nodiscard]] bool is_column(std::size_t variable) const {
    return sets.empty() || variable + 1 < sizes.size();
  }
};

}  // namespace postern::infer
