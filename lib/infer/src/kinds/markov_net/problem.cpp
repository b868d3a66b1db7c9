#include "problem.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "postern/core/error.hpp"
#include "postern/infer/noise/published_values.hpp"
#include "postern/model/statistic/table.hpp"

#include "posterior/named_total.hpp"

namespace postern::infer {
namespace {

graph::Variables variables_of(const model::MarkovNet& net, const std::vector<std::string>& columns) {
  graph::Variables out;
  for (const std::string& name : columns)
    out.push_back(static_cast<std::uint32_t>(std::find(net.columns.begin(), net.columns.end(), name) -
                                             net.columns.begin()));
  return out;
}

/// A table that was made elsewhere: of a clique, or within one. Throws engine_unsuitable.
NoisyTable foreign_table(const model::MarkovNet& net, const model::ForeignBlock& block) {
  const auto* table = block.statistic.as<model::Table>();
  if (table == nullptr) {
    throw Error(ErrorCode::engine_unsuitable,
                {"a Markov network that is not decomposable is inferred from tables of its columns, and "
                 "something else was measured"});
  }
  const std::vector<NoisyValue> values = noisy_values(block);
  if (any_band(values)) {
    throw Error(ErrorCode::engine_unsuitable,
                {"values that were rounded, clipped or held back are taken for Markov networks that are "
                 "decomposable, and not by the engines map and potentials"});
  }
  NoisyTable out{variables_of(net, table->columns), {}, values.front().law};
  const graph::Variables wanted = graph::sorted(out.variables);
  if (std::none_of(net.cliques.begin(), net.cliques.end(), [&](const graph::Variables& clique) {
        return graph::holds(graph::sorted(clique), wanted);
      })) {
    throw Error(
        ErrorCode::release_inconsistent,
        {"a table was measured of columns that no clique of the network holds; declare such a clique"});
  }
  for (const NoisyValue& value : values) out.values.push_back(value.y);
  return out;
}

}  // namespace

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
      NoisyTable& out = problem.tables.emplace_back(
          NoisyTable{variables_of(net, table->columns), {}, release::noise_law(measured.block.noise)});
      for (const Int128 value : measured.values) out.values.push_back(static_cast<double>(value));
    }
    if (!release->foreign) continue;
    for (const model::ForeignBlock& block : release->foreign->blocks)
      problem.tables.push_back(foreign_table(net, block));
  }
  return problem;
}

void refuse_impossible(const MarkovProblem& problem) {
  constexpr double kDeviations = 1e6;
  const auto* known = std::get_if<KnownTotal>(&problem.total);
  const double most =
      static_cast<double>(known != nullptr ? known->n : std::get<LatentTotal>(problem.total).at_most);
  for (const NoisyTable& table : problem.tables) {
    const double reach = kDeviations * std::sqrt(release::variance(table.law));
    for (const double y : table.values) {
      if (y >= -reach && y <= most + reach) continue;
      throw Error(ErrorCode::engine_limit,
                  {"the released tables of the network contradict n by more than can be weighed; look at the "
                   "releases"});
    }
  }
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
