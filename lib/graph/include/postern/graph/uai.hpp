#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "postern/graph/dag.hpp"
#include "postern/graph/log_linear.hpp"
#include "postern/graph/network.hpp"
#include "postern/graph/variables.hpp"

namespace postern::graph {

/// A product of tables as the files of the UAI inference competitions have it. Variables have no names.
struct UaiNetwork {
  enum class Kind { markov, bayes };
  struct Table {
    Variables variables;          ///< of a Bayesian network: the parents, then the variable itself
    std::vector<double> weights;  ///< row-major over `variables`, never negative
    bool operator==(const Table&) const = default;
  };

  Kind kind = Kind::markov;
  Sizes sizes;
  std::vector<Table> tables;
  bool operator==(const UaiNetwork&) const = default;
};

/// Reads MARKOV and BAYES files. Weights are the nearest doubles. Fails: study_syntax with
/// "file:line:column"; bad_value for what is well formed but no network: a variable that is none or twice in
/// a table, a weight that is negative or no number, tables of more than 2^26 cells.
[[nodiscard]] UaiNetwork parse_uai(std::string_view text, std::string_view file = "network.uai");
/// Writes what parse_uai reads to the same network: the shortest decimals that are these doubles.
[[nodiscard]] std::string write_uai(const UaiNetwork& network);

/// Reads an evidence file: the number of variables seen, then each with its level, with or without the number
/// of samples before all that, which must then be 1. A blank file is no evidence.
[[nodiscard]] Evidence parse_uai_evidence(std::string_view text, std::span<const std::uint32_t> sizes,
                                          std::string_view file = "network.uai.evid");
[[nodiscard]] std::string write_uai_evidence(const Evidence& evidence);

/// A Markov network; each table is divided by its largest weight.
[[nodiscard]] UaiNetwork to_uai(const LogLinear& model, std::span<const double> theta);
/// A Bayesian network.
[[nodiscard]] UaiNetwork to_uai(const Dag& dag, const Sizes& sizes, Tables tables);

struct UaiAnswer {
  double log_partition =
      0;  ///< of what agrees with the evidence; minus infinity: nothing does, and no tables
  std::vector<std::vector<double>> marginals;  ///< of each variable given the evidence
  Forecast forecast;                           ///< of the memory, made before any table was
};
/// Exact marginals by a junction tree of the tables, sliced at the evidence first. Fails: engine_limit.
[[nodiscard]] UaiAnswer uai_marginals(const UaiNetwork& network, const Evidence& evidence,
                                      double most_bytes = kPropagationBytes);

}  // namespace postern::graph
