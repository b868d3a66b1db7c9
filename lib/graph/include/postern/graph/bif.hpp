#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "postern/graph/dag.hpp"
#include "postern/graph/variables.hpp"

namespace postern::graph {

/// A variable of a network file: its levels, and its table given its parents (postern/graph/network.hpp).
struct BifVariable {
  std::string name;
  std::vector<std::string> levels;
  Variables parents;          ///< in the order of the file
  std::vector<double> table;  ///< row-major over parents, then the variable; every row sums to 1
  bool operator==(const BifVariable&) const = default;
};

/// A discrete Bayesian network with its names.
struct BifNetwork {
  std::string name = "unknown";
  std::vector<BifVariable> variables;
  [[nodiscard]] Sizes sizes() const;
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] Dag dag() const;
  [[nodiscard]] std::vector<std::span<const double>> tables() const;  ///< views of this network's
  bool operator==(const BifNetwork&) const = default;
};

/// Reads the interchange format of Bayesian networks. Properties are skipped. Probabilities are the nearest
/// doubles. A row that is off 1 by at most 1e-6, as files of few digits are, is divided by its sum unless
/// that is within 1e-12 of 1, so that what was written is read as it was. Fails: study_syntax with
/// "file:line:column", bad_value for what is well formed but no network: a cycle, a variable or level that
/// was not declared or is declared twice, a table that is missing or incomplete, a row that does not sum to
/// 1, tables of more than 2^22 cells.
[[nodiscard]] BifNetwork parse_bif(std::string_view text, std::string_view file = "network.bif");

/// Writes what parse_bif reads to the same network: the shortest decimals that are these doubles; names that
/// are no plain words are quoted. Fails: bad_value if a name or level holds a quotation mark or a control
/// character, or tables do not fit.
[[nodiscard]] std::string write_bif(const BifNetwork& network);

}  // namespace postern::graph
