#include "markov/measurements.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/graph/strided.hpp"

namespace postern::infer {
namespace markov {
namespace {

void check_table(const MarkovProblem& problem, const NoisyTable& table) {
  for (const std::uint32_t v : table.variables) {
    if (v >= problem.sizes.size())
      throw Error(ErrorCode::bad_value, {"a noisy table names a variable that the network does not have"});
  }
  if (static_cast<double>(table.values.size()) != graph::cells_of(table.variables, problem.sizes))
    throw Error(ErrorCode::bad_value, {"a noisy table does not have one value for each of its cells"});
  if (!std::ranges::all_of(table.values, [](double y) { return std::isfinite(y); }))
    throw Error(ErrorCode::bad_value, {"a noisy table holds a value that is no number"});
}

/// Numbers different sets of variables in their order of appearance.
class Cliques {
 public:
  std::size_t find(const graph::Variables& variables) {
    const auto [at, fresh] = numbers_.emplace(graph::sorted(variables), cliques.size());
    if (fresh) cliques.push_back(variables);
    return at->second;
  }
  std::vector<graph::Variables> cliques;

 private:
  std::map<graph::Variables, std::size_t> numbers_;
};

/// For each cell of a table over `variables`, that of the model.
std::vector<std::size_t> cells_in(const graph::LogLinear& model, std::size_t clique,
                                  const graph::Variables& variables) {
  std::vector<std::size_t> out(static_cast<std::size_t>(graph::cells_of(variables, model.sizes())));
  graph::Strided(variables, model.cliques()[clique], model.sizes())
      .walk([&](std::size_t first, std::size_t other, std::size_t count, std::size_t step) {
        for (std::size_t i = 0; i < count; ++i) out[first + i] = model.offset(clique) + other + i * step;
      });
  return out;
}

Measurements::Value value_of(std::size_t cell, double y, const release::NoiseLaw& law) {
  const double rate = release::shape(law).rate;
  return {cell, y, rate > 0 ? 1 / rate : 0, release::variance(law)};
}

}  // namespace

Measurements::Measurements(const MarkovProblem& problem, const MarkovOptions& options)
    : total(estimate_total(problem)) {
  Cliques cliques;
  std::vector<std::size_t> homes;
  for (const NoisyTable& table : problem.tables) {
    check_table(problem, table);
    homes.push_back(cliques.find(table.variables));
  }
  std::vector<std::size_t> empty_homes;
  for (const ImpossibleCells& empty : problem.impossible)
    empty_homes.push_back(cliques.find(empty.variables));
  model = std::make_shared<graph::LogLinear>(problem.sizes, std::move(cliques.cliques), options.most_bytes,
                                             options.names);
  zeros.assign(model->dimension(), 0.0);
  measured.assign(model->dimension(), false);
  for (std::size_t i = 0; i < problem.impossible.size(); ++i) {
    const std::vector<std::size_t> cells = cells_in(*model, empty_homes[i], problem.impossible[i].variables);
    for (const std::size_t cell : problem.impossible[i].cells) {
      if (cell >= cells.size())
        throw Error(ErrorCode::bad_value, {"an impossible cell is beyond the end of its table"});
      zeros[cells[cell]] = kMinusInfinity;
    }
  }
  for (std::size_t t = 0; t < problem.tables.size(); ++t) {
    const std::vector<std::size_t> cells = cells_in(*model, homes[t], problem.tables[t].variables);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (zeros[cells[i]] == kMinusInfinity) continue;
      measured[cells[i]] = true;
      values.push_back(value_of(cells[i], problem.tables[t].values[i], problem.tables[t].law));
    }
  }
}

std::vector<std::size_t> cells_of_table(const Measurements& data, const graph::Variables& variables) {
  const std::vector<graph::Variables>& cliques = data.model->cliques();
  for (std::size_t f = 0; f < cliques.size(); ++f) {
    if (graph::sorted(cliques[f]) == graph::sorted(variables)) return cells_in(*data.model, f, variables);
  }
  throw Error(ErrorCode::bad_value, {"a table is of variables that are no clique of the network"});
}

CellAverages cell_averages(const Measurements& data) {
  CellAverages out{std::vector<double>(data.dimension()), std::vector<double>(data.dimension())};
  for (const Measurements::Value& value : data.values) {
    out.y[value.cell] += value.y / value.variance;
    out.variance[value.cell] += 1 / value.variance;
  }
  for (std::size_t i = 0; i < out.y.size(); ++i) {
    out.y[i] /= out.variance[i];
    out.variance[i] = 1 / out.variance[i];
  }
  return out;
}

}  // namespace markov

double estimate_total(const MarkovProblem& problem) {
  if (const auto* known = std::get_if<KnownTotal>(&problem.total)) return static_cast<double>(known->n);
  double weighted = 0;
  double precision = 0;
  for (const NoisyTable& table : problem.tables) {
    if (table.values.empty()) continue;
    const double one = 1 / (static_cast<double>(table.values.size()) * release::variance(table.law));
    for (const double y : table.values) weighted += one * y;
    precision += one;
  }
  const auto at_most = static_cast<double>(std::get<LatentTotal>(problem.total).at_most);
  return precision > 0 ? std::clamp(weighted / precision, 0.0, at_most) : 0.0;
}

}  // namespace postern::infer
