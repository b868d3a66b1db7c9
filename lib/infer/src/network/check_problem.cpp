#include "network/check_problem.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/graph/variables.hpp"

namespace postern::infer {
namespace {

void refuse(Piece why) { throw Error(ErrorCode::bad_value, {"a network posterior ", why}); }

void check_total(const std::variant<KnownTotal, LatentTotal>& total) {
  if (const auto* known = std::get_if<KnownTotal>(&total)) {
    if (known->n < 0 || known->n > kMostCounted) refuse("needs n in 0..2^40");
    return;
  }
  const auto& latent = std::get<LatentTotal>(total);
  if (latent.at_most < 0 || latent.at_most > kMostCounted) refuse("needs the bound on n in 0..2^40");
  if (!std::isfinite(latent.log_slope)) refuse("needs a finite slope of the prior of n");
}

void check_values(const std::vector<std::vector<NoisyValue>>& cells) {
  for (const auto& noisy_values : cells) {
    for (const NoisyValue& noisy_value : noisy_values) {
      if (!std::isfinite(noisy_value.y)) refuse("needs every released value finite");
    }
  }
}

void check_table(const NetworkProblem& problem, const NoisyMargin& table) {
  double cells = 1;
  for (std::size_t i = 0; i < table.variables.size(); ++i) {
    const std::uint32_t v = table.variables[i];
    if (v >= problem.sizes.size()) refuse("needs tables of its variables");
    for (std::size_t j = 0; j < i; ++j) {
      if (table.variables[j] == v) refuse("needs tables of different variables");
    }
    cells *= problem.sizes[v];
  }
  if (static_cast<double>(table.noisy_values.size()) != cells)
    refuse("needs one list of noisy values a cell");
  for (const NetworkFamily& family : problem.families) {
    if (graph::sorted(family.variables) == graph::sorted(table.variables))
      refuse("needs the noisy values of a family's table with the family");
  }
  check_values(table.noisy_values);
}

void check_family(const NetworkProblem& problem, std::size_t variable) {
  const NetworkFamily& family = problem.families[variable];
  if (family.variables.empty() || family.variables.back() != variable)
    refuse("needs every family to end with its own variable");
  double cells = 1;
  for (const std::uint32_t v : family.variables) {
    if (v >= problem.sizes.size()) refuse("needs parents that are variables");
    cells *= problem.sizes[v];
  }
  if (static_cast<double>(family.alpha.size()) != cells) refuse("needs one alpha a cell");
  if (family.noisy_values.size() != family.alpha.size()) refuse("needs one list of noisy values a cell");
  for (const double alpha : family.alpha) {
    if (!(alpha > 0) || !std::isfinite(alpha)) refuse("needs every alpha positive and finite");
  }
  check_values(family.noisy_values);
}

bool one_family_holds(const NetworkProblem& problem, const std::vector<std::uint32_t>& variables) {
  return std::any_of(problem.families.begin(), problem.families.end(), [&](const NetworkFamily& family) {
    return std::all_of(variables.begin(), variables.end(), [&](std::uint32_t v) {
      return std::find(family.variables.begin(), family.variables.end(), v) != family.variables.end();
    });
  });
}

void check_coefficient(const NetworkProblem& problem, const NoisyCoefficient& one) {
  if (one.variables.size() != one.contrasts.size()) refuse("needs one contrast a variable of a coefficient");
  for (std::size_t i = 0; i < one.variables.size(); ++i) {
    if (one.variables[i] >= problem.sizes.size() || (i > 0 && one.variables[i] <= one.variables[i - 1]))
      refuse("needs the variables of a coefficient in their order");
    if (one.contrasts[i] < 1 || one.contrasts[i] >= problem.sizes[one.variables[i]])
      refuse("needs contrasts that the variables have");
  }
  if (!one_family_holds(problem, one.variables)) refuse("needs coefficients of variables of one family");
  if (!std::isfinite(one.value.y)) refuse("needs every released value finite");
}

void check_choice(const NetworkProblem& problem, const NetworkChoice& one) {
  if (one.variable >= problem.sizes.size()) refuse("needs choices of its variables");
  const std::uint32_t levels = problem.sizes[one.variable];
  if (one.row * levels >= problem.families[one.variable].alpha.size() || one.first >= one.middle ||
      one.middle >= one.last || one.last > levels)
    refuse("needs choices that split a row's levels");
  if (one.law == nullptr || one.chosen >= one.law->points()) refuse("needs choices of points of a grid");
}

void check_sets(const NetworkProblem& problem) {
  if (problem.sets.empty()) return;
  for (const auto& total : problem.sets) check_total(total);
  if (problem.sets.size() != problem.sizes.back()) refuse("needs the totals of all of its sets");
  for (std::size_t v = 0; v + 1 < problem.families.size(); ++v) {
    const std::vector<std::uint32_t>& variables = problem.families[v].variables;
    if (std::find(variables.begin(), variables.end(), problem.sizes.size() - 1) != variables.end())
      refuse("needs records whose columns do not depend on their set");
  }
  const NetworkFamily& own = problem.families.back();
  if (own.variables.size() != 1 ||
      std::any_of(own.alpha.begin(), own.alpha.end(), [](double a) { return a != 1; }))
    refuse("needs sets as probable as each other");
  if (!problem.coefficients.empty() || !problem.choices.empty())
    refuse("needs tables, of several sets, and no coefficients or choices");
}

}  // namespace

void check_network_problem(const NetworkProblem& problem) {
  if (problem.sizes.empty()) refuse("needs at least one variable");
  if (problem.families.size() != problem.sizes.size()) refuse("needs one family a variable");
  for (const std::uint32_t size : problem.sizes) {
    if (size == 0) refuse("needs every variable to have a level");
  }
  for (std::size_t v = 0; v < problem.families.size(); ++v) check_family(problem, v);
  for (const NoisyCoefficient& one : problem.coefficients) check_coefficient(problem, one);
  for (const NetworkChoice& one : problem.choices) check_choice(problem, one);
  for (const NoisyMargin& table : problem.tables) check_table(problem, table);
  check_total(problem.total);
  check_sets(problem);
}

}  // namespace postern::infer
