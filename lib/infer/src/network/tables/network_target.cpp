#include "network_target.hpp"

#include <optional>
#include <utility>

#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

/// Nats for a record too many or too few: nothing that noise says of one record comes near it.
constexpr double kCertain = 1000;

/// What is known of the number of records of one set. Beyond a bound the message falls too steeply to follow.
CountMessage message_of(const std::variant<KnownTotal, LatentTotal>& total) {
  if (const auto* known = std::get_if<KnownTotal>(&total)) return {known->n, {0}, kCertain, kCertain};
  const auto& latent = std::get<LatentTotal>(total);
  return {latent.at_most, {0}, latent.log_slope, kCertain};
}

}  // namespace

NetworkTarget NetworkTarget::make(const NetworkProblem& problem, std::size_t chains, int threads,
                                  std::span<const std::string> names) {
  std::vector<bool> integrated = integrable(problem);
  check_shape(NetworkShape(problem, integrated), chains, names);
  std::vector<Leaf> leaves;
  for (std::size_t v = 0; v < integrated.size(); ++v) {
    if (!integrated[v]) continue;
    std::optional<Leaf> leaf = Leaf::make(problem, v, threads);
    integrated[v] = leaf.has_value();
    if (leaf) leaves.push_back(std::move(*leaf));
  }
  const NetworkShape shape(problem, integrated);
  check_shape(shape, chains, names);
  return {problem, shape, std::move(leaves)};
}

NetworkTarget::NetworkTarget(const NetworkProblem& problem, const NetworkShape& shape,
                             std::vector<Leaf> leaves)
    : problem_(problem),
      core_(shape.core),
      tables_(graph::JunctionTree(shape.elimination, shape.sizes), shape.scopes),
      sums_(problem_, shape, tables_.cells()),
      potentials_(tables_.cells() + sums_.size()),
      leaves_(std::move(leaves)) {
  if (const auto* bound = std::get_if<LatentTotal>(&problem.total)) {
    latent_ = true;
    most_ = bound->at_most;
    log_slope_ = bound->log_slope;
  } else {
    most_ = std::get<KnownTotal>(problem.total).n;
  }
  add_tree();
  for (const std::uint32_t v : shape.order) add_family(v, shape);
  for (const NoisyMargin& table : problem.tables) {
    const std::vector<std::size_t> places = tables_.places(shape.in_core(table.variables));
    for (std::size_t i = 0; i < places.size(); ++i)
      potentials_.add_noise(places[i], table.noisy_values[i], most_);
  }
  for (const Leaf& leaf : leaves_) add_leaf(leaf, shape);
  if (!problem.sets.empty()) add_sets(shape);
  sums_.add_noise(problem_, potentials_, tables_.total(), most_);
  potentials_.finish(most_);
  learned_.finish(tables_.cells());
  if (problem_.learned) row_priors_ = RowPriors(std::move(learned_families_), problem_.learned->scale);
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

void NetworkTarget::add_family(std::uint32_t v, const NetworkShape& shape) {
  const NetworkFamily& family = problem_.families[v];
  const graph::Variables variables = shape.in_core(family.variables);
  const graph::Variables parents = shape.in_core(parents_of(family));
  Family out;
  out.variable = shape.numbers[v];
  out.cells = &tables_.over(graph::sorted(variables));
  out.rows = &tables_.over(graph::sorted(parents));
  out.places = tables_.places(variables);
  const bool learned = problem_.learned && problem_.is_column(v);
  out.alpha.resize(out.cells->cells);
  out.row_alpha.resize(out.rows->cells);
  const std::vector<std::size_t> row_places = tables_.places(parents);
  for (std::size_t i = 0; i < out.places.size(); ++i) {
    out.alpha[out.places[i] - out.cells->offset] = family.alpha[i];
    out.row_alpha[row_places[i / problem_.sizes[v]] - out.rows->offset] += family.alpha[i];
    if (!learned) potentials_.add_gamma(out.places[i], family.alpha[i], 1);
    potentials_.add_noise(out.places[i], family.noisy_values[i], most_);
  }
  for (std::size_t row = 0; row < out.row_alpha.size() && !learned; ++row)
    potentials_.add_gamma(out.rows->offset + row, out.row_alpha[row], -1);
  if (out.places.size() > 1 && problem_.sizes[v] > 1) out.level_stride = out.places[1] - out.places[0];
  out.first_shift = shifts_;
  shifts_ += out.alpha.size() + out.row_alpha.size();
  if (learned) learn_family(v, out, row_places);
  families_.push_back(std::move(out));
}

/// Gamma(A q + c) / Gamma(A + N): the same factors as of a declared prior, with shifts that are in the state.
void NetworkTarget::learn_family(std::uint32_t v, const Family& family,
                                 const std::vector<std::size_t>& row_places) {
  const LearnedRows& prior = *problem_.learned;
  LearnedFamily table;
  table.variable = v;
  table.levels = problem_.sizes[v];
  table.cells = family.places;
  for (const std::size_t place : family.places) {
    table.shifts.push_back(family.first_shift + place - family.cells->offset);
    learned_.add(place, table.shifts.back(), 1);
  }
  for (const std::size_t place : row_places) {
    table.row_shifts.push_back(family.row_shift() + place - family.rows->offset);
    learned_.add(place, table.row_shifts.back(), -1);
  }
  if (!prior.known.empty()) table.known = prior.known[v];
  if (!prior.centres.empty()) table.centre = prior.centres[v];
  if (row_places.size() == 1 && family.rows->variables.empty() && table.centre.empty())
    table.centre.assign(table.levels, 1 / static_cast<double>(table.levels));
  learned_families_.push_back(std::move(table));
}

std::vector<double> NetworkTarget::shifts() const {
  std::vector<double> out;
  for (const Family& family : families_) {
    out.insert(out.end(), family.alpha.begin(), family.alpha.end());
    out.insert(out.end(), family.row_alpha.begin(), family.row_alpha.end());
  }
  return out;
}

void NetworkTarget::add_leaf(const Leaf& leaf, const NetworkShape& shape) {
  const std::vector<std::size_t>& rows =
      leaf_rows_.emplace_back(tables_.places(shape.in_core(parents_of(problem_.families[leaf.variable()]))));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (const std::optional<CountMessage> message = leaf.message(row))
      potentials_.add_message(rows[row], *message);
  }
}

/// The sets' own family, Dirichlet(1, ..., 1), says prod n_k! / Gamma(n + K), and the orders in which records
/// of each set can have come are prod n_k! / n! of the orders of all.
void NetworkTarget::add_sets(const NetworkShape& shape) {
  const auto last = static_cast<std::uint32_t>(problem_.sizes.size() - 1);
  sets_ = tables_.places(shape.in_core(std::span(&last, 1)));
  for (std::size_t k = 0; k < sets_.size(); ++k)
    potentials_.add_message(sets_[k], message_of(problem_.sets[k]));
  potentials_.add_gamma(tables_.total(), static_cast<double>(sets_.size()), 1);
  potentials_.add_gamma(tables_.total(), 1, -1);
}

double NetworkTarget::log_size_ratio(std::int64_t from, std::int64_t to) const {
  const auto change = static_cast<double>(to - from);
  const auto n = static_cast<double>(from);
  if (sets_.empty()) return log_slope_ * change;
  return log_rising(static_cast<double>(sets_.size()) + n, change) - log_rising(1 + n, change);
}

}  // namespace postern::infer
