#include "network/mean_network.hpp"

#include <utility>

#include "postern/core/error.hpp"
#include "postern/graph/bif.hpp"
#include "postern/model/kinds/bayes_net.hpp"

namespace postern::infer {
namespace {

/// Rows sum to 1: means of draws do up to rounding.
void normalise(std::vector<double>& table, std::size_t levels) {
  for (std::size_t row = 0; row < table.size(); row += levels) {
    double total = 0;
    for (std::size_t l = 0; l < levels; ++l) total += table[row + l];
    for (std::size_t l = 0; l < levels; ++l) table[row + l] /= total;
  }
}

}  // namespace

std::optional<std::vector<std::vector<double>>> mean_tables(const model::Study& study,
                                                            const Posterior& posterior) {
  std::vector<std::vector<double>> out;
  std::size_t place = 0;
  for (const model::BayesNode& node : study.model.get<model::BayesNet>().nodes) {
    std::vector<double>& table = out.emplace_back();
    for (std::size_t cell = 0; cell < node.alpha.size(); ++cell, ++place) {
      if (place >= posterior.summary.size()) return std::nullopt;
      table.push_back(posterior.summary[place].mean);
    }
    normalise(table, study.schema.at(node.column).levels());
  }
  return out;
}

std::vector<ModelFile> bif_of_means(const model::Study& study, const Posterior& posterior) {
  const auto& net = study.model.get<model::BayesNet>();
  const graph::Dag dag = model::dag_of(net);
  const auto tables = mean_tables(study, posterior);
  if (!tables) return {};
  graph::BifNetwork out;
  out.name = study.name;
  for (std::uint32_t v = 0; v < net.nodes.size(); ++v) {
    const model::Column& column = study.schema.at(net.nodes[v].column);
    graph::BifVariable& variable = out.variables.emplace_back();
    variable.name = column.name;
    for (std::uint32_t level = 0; level < column.levels(); ++level)
      variable.levels.push_back(column.label(level));
    variable.parents = dag.parents(v);
    variable.table = (*tables)[v];
  }
  try {
    return {{"network.bif", graph::write_bif(out)}};
  } catch (const Error& refusal) {
    if (refusal.code() == ErrorCode::bad_value) return {};  // a name that the form cannot hold
    throw;
  }
}

}  // namespace postern::infer
