#include "network_target.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/graph/dag.hpp"

namespace postern::infer {
namespace {

constexpr std::uint32_t kNoCore = ~std::uint32_t{0};

graph::Dag dag_of(const NetworkProblem& problem) {
  std::vector<graph::Variables> parents;
  for (std::size_t v = 0; v < problem.families.size(); ++v) {
    const graph::Variables& family = problem.families[v].variables;
    if (family.empty() || family.back() != v)
      throw Error(ErrorCode::internal, {"a family must end with its own variable"});
    parents.emplace_back(family.begin(), family.end() - 1);
  }
  return graph::Dag(std::move(parents));
}

graph::Variables in_core(std::span<const std::uint32_t> variables,
                         const std::vector<std::uint32_t>& numbers) {
  graph::Variables out;
  for (const std::uint32_t v : variables) out.push_back(numbers[v]);
  return out;
}

std::span<const std::uint32_t> parents_of(const NetworkFamily& family) {
  return std::span(family.variables).first(family.variables.size() - 1);
}

void check(const NetworkProblem& problem) {
  if (problem.families.size() != problem.sizes.size())
    throw Error(ErrorCode::internal, {"a network has one family a variable"});
  graph::check_sizes(problem.sizes);
  for (const NetworkFamily& family : problem.families) {
    const double cells = graph::cells_of(family.variables, problem.sizes);
    if (static_cast<double>(family.alpha.size()) != cells ||
        static_cast<double>(family.noisy_values.size()) != cells)
      throw Error(ErrorCode::internal, {"a family has one prior weight and one list of values a cell"});
    for (const double alpha : family.alpha) {
      if (!(alpha > 0 && std::isfinite(alpha)))
        throw Error(ErrorCode::bad_prior, {"each cell's prior weight must be positive and finite"});
    }
  }
}

}  // namespace

NetworkTarget::Shape NetworkTarget::shape_of(const NetworkProblem& problem) {
  check(problem);
  const graph::Dag dag = dag_of(problem);
  Shape shape;
  shape.numbers.assign(problem.sizes.size(), kNoCore);
  for (std::uint32_t v = 0; v < problem.sizes.size(); ++v) {
    if (dag.children(v).empty()) continue;
    shape.numbers[v] = static_cast<std::uint32_t>(shape.core.size());
    shape.core.push_back(v);
  }
  for (const std::uint32_t v : dag.order()) {
    if (shape.numbers[v] != kNoCore) shape.order.push_back(v);
  }
  for (std::uint32_t v = 0; v < problem.sizes.size(); ++v) {
    const NetworkFamily& family = problem.families[v];
    shape.scopes.push_back(graph::sorted(in_core(parents_of(family), shape.numbers)));
    if (shape.numbers[v] != kNoCore)
      shape.scopes.push_back(graph::sorted(in_core(family.variables, shape.numbers)));
  }
  return shape;
}

graph::JunctionTree NetworkTarget::checked_tree(const NetworkProblem& problem, const Shape& shape,
                                                double most_bytes, std::span<const std::string> names) {
  graph::UndirectedGraph graph(shape.core.size());
  graph::Sizes sizes;
  std::vector<std::string> core_names;
  for (const std::uint32_t v : shape.core) {
    sizes.push_back(problem.sizes[v]);
    if (!names.empty()) core_names.push_back(names[v]);
  }
  for (const graph::Variables& scope : shape.scopes) graph.connect_all(scope);
  const graph::Elimination elimination = graph::cheapest_elimination(graph, sizes);
  graph::check_forecast(graph::forecast(elimination, sizes), most_bytes, sizes, core_names);
  return graph::JunctionTree(elimination, sizes);
}

NetworkTarget::NetworkTarget(const NetworkProblem& problem, double most_bytes,
                             std::span<const std::string> names)
    : NetworkTarget(problem, shape_of(problem), most_bytes, names) {}

NetworkTarget::NetworkTarget(const NetworkProblem& problem, Shape shape, double most_bytes,
                             std::span<const std::string> names)
    : problem_(problem),
      core_(shape.core),
      tables_(checked_tree(problem, shape, most_bytes, names), shape.scopes),
      potentials_(tables_.cells()) {
  if (const auto* bound = std::get_if<LatentTotal>(&problem.total)) {
    latent_ = true;
    most_ = bound->at_most;
    log_slope_ = bound->log_slope;
  } else {
    most_ = std::get<KnownTotal>(problem.total).n;
  }
  if (most_ < 0 || most_ > kMostCounted)
    throw Error(ErrorCode::bad_value, {"the number of records must be within 0 and 2^40"});
  add_tree();
  for (const std::uint32_t v : shape.order) add_family(v, shape);
  for (std::uint32_t v = 0; v < problem.sizes.size(); ++v) {
    if (shape.numbers[v] == kNoCore) add_leaf(v, shape);
  }
  potentials_.finish(most_);
}

/// n! prod_S N_S! / prod_C N_C!: in how many orders the records can have come.
void NetworkTarget::add_tree() {
  const auto add = [&](const LatentTables::Table& table, int power) {
    for (std::size_t i = 0; i < table.cells; ++i) potentials_.add_gamma(table.offset + i, 1, power);
  };
  potentials_.add_gamma(tables_.total(), 1, 1);
  for (std::size_t c = 0; c < tables_.tree().size(); ++c) {
    add(tables_.clique(c), -1);
    if (c > 0) add(tables_.separator(c), 1);
  }
}

void NetworkTarget::add_family(std::uint32_t v, const Shape& shape) {
  const NetworkFamily& family = problem_.families[v];
  const graph::Variables variables = in_core(family.variables, shape.numbers);
  const graph::Variables parents = in_core(parents_of(family), shape.numbers);
  Family out;
  out.variable = shape.numbers[v];
  out.cells = &tables_.over(graph::sorted(variables));
  out.rows = &tables_.over(graph::sorted(parents));
  out.places = tables_.places(variables);
  out.alpha.resize(out.cells->cells);
  out.row_alpha.resize(out.rows->cells);
  const std::vector<std::size_t> row_places = tables_.places(parents);
  for (std::size_t i = 0; i < out.places.size(); ++i) {
    out.alpha[out.places[i] - out.cells->offset] = family.alpha[i];
    out.row_alpha[row_places[i / problem_.sizes[v]] - out.rows->offset] += family.alpha[i];
    potentials_.add_gamma(out.places[i], family.alpha[i], 1);
    potentials_.add_noise(out.places[i], family.noisy_values[i], most_);
  }
  for (std::size_t row = 0; row < out.row_alpha.size(); ++row)
    potentials_.add_gamma(out.rows->offset + row, out.row_alpha[row], -1);
  if (out.places.size() > 1 && problem_.sizes[v] > 1) out.level_stride = out.places[1] - out.places[0];
  families_.push_back(std::move(out));
}

void NetworkTarget::add_leaf(std::uint32_t v, const Shape& shape) {
  const NetworkFamily& family = problem_.families[v];
  Leaf out;
  out.variable = v;
  out.row_places = tables_.places(in_core(parents_of(family), shape.numbers));
  const std::size_t levels = problem_.sizes[v];
  for (std::size_t row = 0; row < out.row_places.size(); ++row) {
    out.rows.emplace_back(std::span(family.alpha).subspan(row * levels, levels),
                          std::span(family.noisy_values).subspan(row * levels, levels), most_);
    if (!out.rows.back().silent()) potentials_.add_message(out.row_places[row], out.rows.back().message());
  }
  leaves_.push_back(std::move(out));
}

}  // namespace postern::infer
