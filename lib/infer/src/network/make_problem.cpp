#include "network/make_problem.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/infer/network/fourier.hpp"
#include "postern/infer/noise/published_values.hpp"
#include "postern/model/statistic/grid_split.hpp"
#include "postern/model/statistic/table.hpp"
#include "postern/model/study.hpp"

#include "network/choices.hpp"
#include "posterior/named_total.hpp"

namespace postern::infer {
namespace {

using model::BayesNet;

void add_public_rows(NetworkProblem& problem, const InferOptions& options) {
  if (!options.public_rows) return;
  std::size_t cells = 0;
  for (const NetworkFamily& family : problem.families) cells += family.alpha.size();
  const auto* rows = std::get_if<PublicCounts>(&*options.public_rows);
  if (rows == nullptr || rows->counts.size() != cells)
    throw Error(ErrorCode::bad_option, {"public rows of a network need one count for each of its cells"});
  auto count = rows->counts.begin();
  for (NetworkFamily& family : problem.families) {
    std::vector<double> known;
    for (double& alpha : family.alpha) {
      known.push_back(static_cast<double>(*count++));
      alpha += known.back();
    }
    if (problem.learned) problem.learned->known.push_back(std::move(known));
  }
}

/// The nodes by their columns.
std::map<std::string, std::uint32_t> numbers_of(const BayesNet& net) {
  std::map<std::string, std::uint32_t> out;
  for (std::uint32_t node = 0; node < net.nodes.size(); ++node) out[net.nodes[node].column] = node;
  return out;
}

std::vector<std::uint32_t> variables_of(const std::vector<std::string>& columns,
                                        const std::map<std::string, std::uint32_t>& numbers) {
  std::vector<std::uint32_t> out;
  for (const std::string& name : columns) {
    const auto found = numbers.find(name);
    if (found == numbers.end())
      throw Error(ErrorCode::release_inconsistent, {"a release of a network holds a table of other columns"});
    out.push_back(found->second);
  }
  return out;
}

/// Where the noisy values of a released table belong, cell by cell in the order in which it was released.
struct TableCells {
  std::vector<std::vector<NoisyValue>>* noisy_values = nullptr;
  std::vector<std::size_t> places;
};

/// Row-major over `variables` to row-major over the same in another order.
std::vector<std::size_t> reordered(const std::vector<std::uint32_t>& variables,
                                   const std::vector<std::uint32_t>& wanted,
                                   const std::vector<std::uint32_t>& sizes) {
  std::size_t cells = 1;
  for (const std::uint32_t v : variables) cells *= sizes[v];
  std::vector<std::size_t> out(cells, 0);
  std::size_t stride = 1;
  for (std::size_t w = wanted.size(); w-- > 0;) {
    std::size_t inner = 1;
    for (std::size_t i = variables.size(); variables[i - 1] != wanted[w]; --i)
      inner *= sizes[variables[i - 1]];
    for (std::size_t cell = 0; cell < cells; ++cell) out[cell] += cell / inner % sizes[wanted[w]] * stride;
    stride *= sizes[wanted[w]];
  }
  return out;
}

/// Those of the family that has these variables, else of a table of its own.
TableCells cells_of(const std::vector<std::uint32_t>& variables, NetworkProblem& problem) {
  const auto same = [&](const std::vector<std::uint32_t>& others) {
    return graph::sorted(others) == graph::sorted(variables);
  };
  for (NetworkFamily& family : problem.families) {
    if (same(family.variables))
      return {&family.noisy_values, reordered(variables, family.variables, problem.sizes)};
  }
  auto table = std::find_if(problem.tables.begin(), problem.tables.end(),
                            [&](const NoisyMargin& one) { return same(one.variables); });
  if (table == problem.tables.end()) {
    table = problem.tables.insert(table, {variables, {}});
    std::size_t cells = 1;
    for (const std::uint32_t v : variables) cells *= problem.sizes[v];
    table->noisy_values.resize(cells);
  }
  return {&table->noisy_values, reordered(variables, table->variables, problem.sizes)};
}

void add_counts(const model::Statistic& statistic, const std::vector<NoisyValue>& values,
                const model::Study& study, NetworkProblem& problem) {
  const auto* one = statistic.as<model::LevelCount>();
  if (one == nullptr && statistic.as<model::Table>() == nullptr) {
    throw Error(ErrorCode::engine_unsuitable,
                {"this version infers networks from their tables, and this release holds something else"});
  }
  const std::vector<std::uint32_t> variables =
      variables_of(statistic.kind().columns(statistic), numbers_of(study.model.get<BayesNet>()));
  TableCells cells = cells_of(variables, problem);
  for (std::size_t i = 0; i < values.size(); ++i)
    (*cells.noisy_values)[cells.places[one != nullptr ? one->level : i]].push_back(values[i]);
}

void add_block(const release::MeasuredBlock& measured, const model::Study& study, NetworkProblem& problem) {
  const auto& net = study.model.get<BayesNet>();
  if (add_coefficients(problem, measured, study.schema, numbers_of(net))) return;
  if (measured.block.statistic.kind().is_choice())
    return;  // what was chosen is measured, or add_choices has it
  add_counts(measured.block.statistic, noisy_values(measured), study, problem);
}

}  // namespace

NetworkProblem start_network(const model::Study& study, const InferOptions& options) {
  const model::Model model =
      options.prior ? study.model.kind().with_prior(study.model, *options.prior) : study.model;
  const auto& net = model.get<BayesNet>();
  const graph::Dag dag = model::dag_of(net);
  NetworkProblem problem;
  if (net.learned && !options.prior) problem.learned = LearnedRows{options.prior_scale};
  for (std::uint32_t node = 0; node < net.nodes.size(); ++node) {
    problem.sizes.push_back(study.schema.at(net.nodes[node].column).levels());
    NetworkFamily& family = problem.families.emplace_back();
    family.variables = dag.family(node);
    for (const Rational& alpha : net.nodes[node].alpha) family.alpha.push_back(alpha.get_d());
    if (std::any_of(family.alpha.begin(), family.alpha.end(), [](double alpha) { return !(alpha > 0); }))
      throw Error(ErrorCode::bad_prior, {"every parameter of the prior must be positive"});
    family.noisy_values.resize(family.alpha.size());
  }
  add_public_rows(problem, options);
  return problem;
}

NetworkProblem make_network_problem(const model::Study& study, const release::RecordSet& releases,
                                    const InferOptions& options) {
  NetworkProblem problem = start_network(study, options);
  for (const release::Release* release : releases) {
    add_choices(problem, *release, study);
    for (const release::MeasuredBlock& block : release->blocks) add_block(block, study, problem);
    if (!release->foreign) continue;
    for (const model::ForeignBlock& block : release->foreign->blocks)
      add_counts(block.statistic, noisy_values(block), study, problem);
  }
  if (problem.learned && !problem.choices.empty()) {
    throw Error(ErrorCode::bad_prior,
                {"these probabilities were chosen by a mechanism that has the prior in it, and its scale "
                 "cannot be learned; leave out --prior learned"});
  }
  problem.total = total_of(releases);
  return problem;
}

std::vector<std::size_t> released_cells(const model::Study& study, const release::RecordSet& releases,
                                        NetworkProblem problem) {
  const std::map<std::string, std::uint32_t> numbers = numbers_of(study.model.get<BayesNet>());
  std::vector<std::size_t> out;
  std::size_t coefficient = 0;
  for (const NetworkFamily& family : problem.families) coefficient += family.noisy_values.size();
  for (const NoisyMargin& table : problem.tables) coefficient += table.noisy_values.size();
  const auto add = [&](const model::Statistic& statistic, std::size_t size) {
    const auto* one = statistic.as<model::LevelCount>();
    if (one == nullptr && statistic.as<model::Table>() == nullptr) {
      for (std::size_t i = 0; i < size; ++i) out.push_back(coefficient++);
      return;
    }
    const TableCells cells = cells_of(variables_of(statistic.kind().columns(statistic), numbers), problem);
    std::size_t first = 0;
    const auto is_it = [&](const std::vector<std::vector<NoisyValue>>& values) {
      if (&values == cells.noisy_values) return true;
      first += values.size();
      return false;
    };
    const bool family = std::any_of(problem.families.begin(), problem.families.end(),
                                    [&](const NetworkFamily& f) { return is_it(f.noisy_values); });
    if (!family) {
      (void)std::any_of(problem.tables.begin(), problem.tables.end(),
                        [&](const NoisyMargin& t) { return is_it(t.noisy_values); });
    }
    for (std::size_t i = 0; i < size; ++i)
      out.push_back(first + cells.places[one != nullptr ? one->level : i]);
  };
  for (const release::Release* release : releases) {
    for (const release::MeasuredBlock& block : release->blocks) {
      if (!block.block.statistic.kind().is_choice()) add(block.block.statistic, block.values.size());
    }
    if (!release->foreign) continue;
    for (const model::ForeignBlock& block : release->foreign->blocks)
      add(block.statistic, block.values.size());
  }
  return out;
}

std::vector<double> prior_means(const NetworkProblem& problem) {
  std::vector<double> out;
  for (std::size_t node = 0; node < problem.families.size(); ++node) {
    const std::vector<double>& alpha = problem.families[node].alpha;
    const std::size_t levels = problem.sizes[node];
    for (std::size_t row = 0; row < alpha.size(); row += levels) {
      double total = 0;
      for (std::size_t l = 0; l < levels; ++l) total += alpha[row + l];
      for (std::size_t l = 0; l < levels; ++l) out.push_back(alpha[row + l] / total);
    }
  }
  return out;
}

}  // namespace postern::infer
