#include "problem.hpp"

#include <algorithm>
#include <variant>

#include "postern/core/error.hpp"
#include "postern/model/statistic/table.hpp"

#include "posterior/named_total.hpp"

namespace postern::infer {

MarkovProblem markov_problem(const model::MarkovNet& net, const release::RecordSet& releases) {
  MarkovProblem problem;
  problem.sizes = net.levels;
  problem.total = total_of(releases);
  for (const release::Release* release : releases) {
    for (const release::MeasuredBlock& measured : release->blocks) {
      if (measured.block.statistic.as<model::RecordCount>() != nullptr) {
        problem.tables.push_back(
            {{}, {static_cast<double>(measured.values.front())}, release::noise_law(measured.block.noise)});
        continue;
      }
      const auto* table = measured.block.statistic.as<model::Table>();
      if (table == nullptr) continue;  // a choice: what was chosen is measured
      NoisyTable& out =
          problem.tables.emplace_back(NoisyTable{{}, {}, release::noise_law(measured.block.noise)});
      for (const std::string& name : table->columns)
        out.variables.push_back(static_cast<std::uint32_t>(
            std::find(net.columns.begin(), net.columns.end(), name) - net.columns.begin()));
      for (const Int128 value : measured.values) out.values.push_back(static_cast<double>(value));
    }
  }
  return problem;
}

void add_public_rows(MarkovProblem& problem, const model::MarkovNet& net, const InferOptions& options) {
  if (!options.public_rows) return;
  const auto* rows = std::get_if<PublicCounts>(&*options.public_rows);
  std::size_t first = 0;
  for (const graph::Variables& clique : net.cliques) {
    const auto cells = static_cast<std::size_t>(graph::cells_of(clique, net.levels));
    if (rows == nullptr || rows->counts.size() < first + cells)
      throw Error(ErrorCode::bad_option, {"public rows of a Markov network need one count for each cell"});
    PublicTable& table = problem.public_tables.emplace_back(PublicTable{clique, {}});
    for (std::size_t i = 0; i < cells; ++i)
      table.counts.push_back(static_cast<double>(rows->counts[first + i]));
    first += cells;
  }
}

std::optional<double> declared_variance(const model::MarkovNet& net, const InferOptions& options) {
  if (options.prior && !model::has_normal_prior(net)) {
    throw Error(ErrorCode::bad_option,
                {"this engine has a normal prior of potentials, and this network another; declare "
                 "prior = { normal = \"1\" } to give its deviation"});
  }
  std::optional<Rational> sd = options.prior ? std::optional(options.prior->front()) : net.potential_sd;
  if (!sd) return std::nullopt;
  if (!(*sd > 0) || *sd > 100)
    throw Error(ErrorCode::bad_prior, {"the deviation of potentials lies above 0 and is at most 100"});
  return sd->get_d() * sd->get_d();
}

MarkovReport markov_report(const model::MarkovNet& net) {
  MarkovReport out{model::junction_tree(net), {}, {}};
  const graph::Dag dag = model::dag_of(model::directed(net));
  for (std::uint32_t v = 0; v < net.columns.size(); ++v) out.families.push_back(dag.family(v));
  return out;
}

}  // namespace postern::infer
