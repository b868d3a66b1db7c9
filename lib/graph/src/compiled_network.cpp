#include "postern/graph/compiled_network.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

namespace postern::graph {
namespace {

constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

Variables translated(Variables variables, const std::vector<std::uint32_t>& to) {
  for (std::uint32_t& v : variables) v = to[v];
  return variables;
}

void check_variables(const Variables& variables, std::size_t count) {
  for (const std::uint32_t v : variables) {
    if (v >= count) {
      throw Error(ErrorCode::bad_value,
                  {"a question names variable ", public_number(v), " of a network that has ",
                   public_number(static_cast<long long>(count))});
    }
  }
  if (sorted(variables).size() != variables.size())
    throw Error(ErrorCode::bad_value, {"a question names a variable twice in one target or in its evidence"});
}

}  // namespace

NetworkQuestion every_variable(std::size_t variables, Variables evidence) {
  NetworkQuestion out;
  for (std::uint32_t v = 0; v < variables; ++v) out.targets.push_back({v});
  out.evidence = std::move(evidence);
  return out;
}

CompiledNetwork::CompiledNetwork(const Dag& dag, Sizes sizes, NetworkQuestion question, double most_bytes,
                                 std::span<const std::string> names)
    : sizes_(std::move(sizes)), question_(std::move(question)), offsets_{0}, local_(dag.size(), kNowhere) {
  check(dag.size());
  const std::vector<bool> in = relevant(dag);
  Sizes open_sizes;
  for (std::uint32_t v = 0; v < dag.size(); ++v) {
    if (!in[v]) continue;
    local_[v] = static_cast<std::uint32_t>(open_.size());
    open_.push_back(v);
    open_sizes.push_back(sizes_[v]);
  }
  add_slices(dag, in);
  std::vector<Variables> scopes;
  UndirectedGraph graph(open_.size());
  for (const Slice& slice : slices_) {
    scopes.push_back(translated(without_evidence(dag.family(slice.variable)), local_));
    graph.connect_all(scopes.back());
  }
  std::vector<Variables> margins;
  for (const Variables& target : question_.targets) {
    margins.push_back(translated(without_evidence(target), local_));
    graph.connect_all(margins.back());
  }
  const Elimination elimination = cheapest_elimination(graph, open_sizes);
  forecast_ = graph::forecast(elimination, open_sizes);
  for (Variables& clique : forecast_.largest) clique = translated(std::move(clique), open_);
  check_forecast(forecast_, most_bytes, sizes_, names);
  propagation_.emplace(JunctionTree(elimination, open_sizes, margins.empty() ? Variables{} : margins.front()),
                       scopes);
  add_targets(margins);
}

void CompiledNetwork::check(std::size_t variables) const {
  if (sizes_.size() != variables)
    throw Error(ErrorCode::bad_value, {"a network needs one size for each variable"});
  check_sizes(sizes_);
  check_variables(question_.evidence, variables);
  for (const Variables& target : question_.targets) check_variables(target, variables);
}

Variables CompiledNetwork::without_evidence(const Variables& variables) const {
  Variables out;
  std::ranges::copy_if(variables, std::back_inserter(out), [this](std::uint32_t v) {
    return std::ranges::find(question_.evidence, v) == question_.evidence.end();
  });
  return out;
}

/// The variables outside of the evidence that matter: ancestors of what is asked or seen (descendants sum to
/// 1) and, if only targets matter, connected to a target once the evidence is cut out of the moral graph.
std::vector<bool> CompiledNetwork::relevant(const Dag& dag) const {
  Variables named = question_.evidence;
  for (const Variables& target : question_.targets) named.insert(named.end(), target.begin(), target.end());
  std::vector<bool> in = dag.ancestral(named);
  UndirectedGraph graph(dag.size());
  for (std::uint32_t v = 0; v < dag.size(); ++v) {
    if (in[v]) graph.connect_all(without_evidence(dag.family(v)));
  }
  for (const std::uint32_t v : question_.evidence) in[v] = false;
  if (question_.evidence_probability) return in;
  const std::vector<std::uint32_t> component = graph.components();
  std::vector<bool> asked(dag.size());
  for (const Variables& target : question_.targets) {
    for (const std::uint32_t v : without_evidence(target)) asked[component[v]] = true;
  }
  for (std::uint32_t v = 0; v < dag.size(); ++v) in[v] = in[v] && asked[component[v]];
  return in;
}

std::vector<CompiledNetwork::Step> CompiledNetwork::steps_in(const Variables& table) const {
  std::vector<Step> out;
  std::size_t cells = 1;
  for (std::size_t i = table.size(); i-- > 0; cells *= sizes_[table[i]]) {
    const auto seen = std::ranges::find(question_.evidence, table[i]);
    if (seen != question_.evidence.end())
      out.push_back({static_cast<std::size_t>(seen - question_.evidence.begin()), cells});
  }
  return out;
}

void CompiledNetwork::add_slices(const Dag& dag, const std::vector<bool>& in) {
  Variables named = question_.evidence;
  named.insert(named.end(), open_.begin(), open_.end());
  const std::vector<bool> kept = dag.ancestral(named);
  for (std::uint32_t v = 0; v < dag.size(); ++v) {
    if (!kept[v]) continue;
    const Variables family = dag.family(v);
    const Variables open = without_evidence(family);
    // A family within the evidence is a number; one outside of what matters is another part of the network.
    const bool matters = open.empty() ? question_.evidence_probability : in[open.front()];
    if (!matters) continue;
    slices_.push_back({v, table_cells(dag, sizes_, v), static_cast<std::size_t>(cells_of(open, sizes_)),
                       steps_in(family), Strided(open, family, sizes_)});
  }
}

void CompiledNetwork::add_targets(const std::vector<Variables>& margins) {
  const JunctionTree& tree = propagation_->tree();
  wanted_.assign(tree.size(), false);
  for (std::size_t t = 0; t < margins.size(); ++t) {
    const Variables& target = question_.targets[t];
    Target made{1, {}, steps_in(target), Strided(without_evidence(target), target, sizes_)};
    if (!margins[t].empty()) {
      made.cells = static_cast<std::size_t>(cells_of(margins[t], tree.sizes()));
      made.margin = propagation_->margin(margins[t]);
    }
    for (std::size_t c = made.margin.clique; c != JunctionTree::kNone; c = tree.parent(c)) wanted_[c] = true;
    most_cells_ = std::max(most_cells_, made.cells);
    offsets_.push_back(offsets_.back() + static_cast<std::size_t>(cells_of(target, sizes_)));
    targets_.push_back(std::move(made));
  }
}

CompiledNetwork::Workspace CompiledNetwork::workspace() const {
  return {std::vector<double>(propagation_->dimension()), std::vector<double>(most_cells_),
          std::vector<std::uint32_t>(open_.size()), propagation_->workspace()};
}

std::size_t CompiledNetwork::start(const std::vector<Step>& steps, std::span<const std::uint32_t> levels) {
  std::size_t cell = 0;
  for (const Step& step : steps) cell += step.cells * levels[step.evidence];
  return cell;
}

void CompiledNetwork::check_run(Tables tables, std::span<const std::uint32_t> levels, std::size_t out) const {
  bool fits =
      tables.size() == sizes_.size() && levels.size() == question_.evidence.size() && out == offsets_.back();
  for (std::size_t i = 0; fits && i < levels.size(); ++i) fits = levels[i] < sizes_[question_.evidence[i]];
  for (std::size_t i = 0; fits && i < slices_.size(); ++i)
    fits = tables[slices_[i].variable].size() == slices_[i].table_cells;
  if (!fits)
    throw Error(ErrorCode::internal, {"tables, levels or room for answers do not fit a compiled network"});
}

template <class Log>
double CompiledNetwork::run_with(Tables tables, std::span<const std::uint32_t> levels, Workspace& work,
                                 std::span<double> out, const Log& log) const {
  check_run(tables, levels, out.size());
  for (std::size_t s = 0; s < slices_.size(); ++s) {
    const double* table = tables[slices_[s].variable].data() + start(slices_[s].steps, levels);
    double* logs = work.logs.data() + propagation_->offset(s);
    slices_[s].place.walk([&](std::size_t first, std::size_t other, std::size_t count, std::size_t step) {
      for (std::size_t i = 0; i < count; ++i) logs[first + i] = log(table[other + i * step]);
    });
  }
  const double log_total = propagation_->collect(work.logs, {}, work.propagation);
  if (log_total == kMinusInfinity) return log_total;
  propagation_->distribute(work.propagation, wanted_);
  write_targets(levels, work, out);
  return log_total;
}

void CompiledNetwork::write_targets(std::span<const std::uint32_t> levels, Workspace& work,
                                    std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  for (std::size_t t = 0; t < targets_.size(); ++t) {
    const Target& target = targets_[t];
    const std::span<double> margin = std::span(work.margin).first(target.cells);
    if (question_.targets[t].size() == target.steps.size()) {
      margin[0] = 1;  // nothing but evidence
    } else {
      propagation_->read(target.margin, work.propagation, margin);
    }
    double* cells = out.data() + offsets_[t] + start(target.steps, levels);
    target.place.walk([&](std::size_t first, std::size_t other, std::size_t count, std::size_t step) {
      for (std::size_t i = 0; i < count; ++i) cells[other + i * step] = margin[first + i];
    });
  }
}

double CompiledNetwork::run(Tables tables, std::span<const std::uint32_t> levels, Workspace& work,
                            std::span<double> out) const {
  return run_with(tables, levels, work, out, [](double p) { return std::log(p); });
}

double CompiledNetwork::run_logs(Tables log_tables, std::span<const std::uint32_t> levels, Workspace& work,
                                 std::span<double> out) const {
  return run_with(log_tables, levels, work, out, [](double log) { return log; });
}

void CompiledNetwork::draw(Workspace& work, std::span<std::uint32_t> state, Rng& rng) const {
  propagation_->draw(work.propagation, work.drawn, rng);
  for (std::size_t i = 0; i < open_.size(); ++i) state[open_[i]] = work.drawn[i];
}

}  // namespace postern::graph
