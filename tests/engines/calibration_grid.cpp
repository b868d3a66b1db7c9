#include "calibration_grid.hpp"

#include <algorithm>
#include <utility>

#include "postern/model/kinds/multivariate_normal.hpp"
#include "postern/model/kinds/number.hpp"
#include "postern/model/number_family.hpp"
#include "postern/model/study.hpp"

#include "small_studies.hpp"

namespace postern::grid {
namespace {

using model::Adjacency;
using model::IntegerRange;
using model::RealRange;

constexpr std::int64_t kSizes[] = {10, 30, 100, 1000, 10000};
constexpr Adjacency kAdjacencies[] = {Adjacency::replace_one, Adjacency::add_remove};

const std::vector<Rational>& epsilons() {
  static const std::vector<Rational> kEpsilons{Rational(1, 100), Rational(1, 10), Rational(1), Rational(5)};
  return kEpsilons;
}

Setting counts(const char* family, std::uint32_t levels) {
  const model::Study study = model::small_study({.levels = levels});
  return {family, {study.schema.at("x")}, study.model};
}

model::Column column_of(const char* name, model::Values values) {
  model::Column column;
  column.name = name;
  column.values = std::move(values);
  return column;
}

Setting number(const char* family, std::vector<Rational> known, model::Values values,
               std::vector<Rational> prior) {
  return {family,
          {column_of("x", std::move(values))},
          model::Number{family, "x", std::move(known), std::move(prior)}};
}

Setting two_columns() {
  const RealRange unit{0, 1, Rational(1, 50), {}};
  const Rational spread(22, 100);  // of a column, and a third of it together
  return {"multivariate-normal",
          {column_of("x", unit), column_of("y", unit)},
          model::MultivariateNormal{
              {"x", "y"}, {Rational(1, 2), Rational(2, 5)}, 4, 8, {spread, spread / 3, spread / 3, spread}}};
}

}  // namespace

std::vector<Setting> settings() {
  const auto part = [](long of, long in) { return Rational(of, in); };
  return {
      counts("bernoulli", 2),
      counts("categorical", 3),
      number("binomial", {10}, IntegerRange{0, 10, {}}, {2, 3}),
      number("poisson", {}, IntegerRange{0, 25, {}}, {6, part(1, 2)}),
      number("geometric", {}, IntegerRange{0, 30, {}}, {4, 16}),
      number("negative-binomial", {3}, IntegerRange{0, 24, {}}, {4, 8}),
      number("exponential", {}, RealRange{0, 2, part(1, 20), {}}, {4, 2}),
      number("gamma", {part(5, 2)}, RealRange{0, 8, part(1, 5), {}}, {6, 6}),
      number("normal-mean", {2}, RealRange{-3, 3, part(1, 10), {}}, {part(1, 2), 2}),
      number("normal", {}, RealRange{-3, 4, part(1, 10), {}}, {part(1, 2), 1, 4, 4}),
      number("pareto", {1}, RealRange{1, 11, part(1, 4), {}}, {4, 2}),
      number("weibull", {part(3, 2)}, RealRange{0, 3, part(1, 8), {}}, {4, 4}),
      number("rayleigh", {}, RealRange{0, 3, part(1, 8), {}}, {4, 6}),
      number("half-normal", {}, RealRange{0, 3, part(1, 8), {}}, {4, 8}),
      number("maxwell", {}, RealRange{0, 4, part(1, 8), {}}, {4, 8}),
      number("log-normal", {}, RealRange{part(1, 5), 10, part(1, 10), {}}, {part(1, 2), 2, 4, 2}),
      two_columns(),
  };
}

std::string name_of(const Cell& cell) {
  std::string name = settings()[cell.setting].family + "_n" + std::to_string(cell.n) + "_eps" +
                     to_decimal(cell.epsilon) +
                     (cell.adjacency == Adjacency::add_remove ? "_private_n" : "_public_n");
  for (char& c : name) {
    if (c == '-' || c == '.') c = '_';
  }
  return name;
}

void PrintTo(const Cell& cell, std::ostream* out) { *out << name_of(cell); }

std::vector<Cell> all_cells() {
  std::vector<Cell> cells;
  const std::size_t families = settings().size();
  for (std::size_t setting = 0; setting < families; ++setting) {
    for (const std::int64_t n : kSizes) {
      for (const Rational& epsilon : epsilons()) {
        for (const Adjacency adjacency : kAdjacencies) cells.push_back({setting, n, epsilon, adjacency});
      }
    }
  }
  return cells;
}

std::vector<Cell> some_cells() {
  constexpr Adjacency kPublic = Adjacency::replace_one;
  constexpr Adjacency kPrivate = Adjacency::add_remove;
  constexpr int kHundredth = 0, kTenth = 1, kOne = 2, kFive = 3;
  struct Row {
    const char* family;
    std::int64_t n;
    int epsilon;
    Adjacency adjacency;
  };
  constexpr Row kRows[] = {
      {"bernoulli", 10, kHundredth, kPublic},
      {"bernoulli", 10, kFive, kPrivate},
      {"bernoulli", 30, kOne, kPrivate},
      {"bernoulli", 100, kTenth, kPrivate},
      {"bernoulli", 1000, kFive, kPublic},
      {"bernoulli", 10000, kHundredth, kPrivate},
      {"bernoulli", 10000, kOne, kPrivate},
      {"categorical", 10, kOne, kPublic},
      {"categorical", 30, kTenth, kPrivate},
      {"categorical", 100, kHundredth, kPrivate},
      {"categorical", 100, kFive, kPublic},
      {"categorical", 1000, kOne, kPrivate},
      {"categorical", 1000, kTenth, kPublic},
      {"binomial", 10, kTenth, kPublic},
      {"binomial", 30, kHundredth, kPublic},
      {"binomial", 100, kOne, kPublic},
      {"binomial", 10000, kFive, kPublic},
      {"poisson", 10, kOne, kPrivate},
      {"poisson", 10000, kTenth, kPublic},
      {"geometric", 1000, kHundredth, kPublic},
      {"negative-binomial", 10, kFive, kPrivate},
      {"negative-binomial", 30, kOne, kPublic},
      {"exponential", 100, kTenth, kPublic},
      {"gamma", 30, kFive, kPublic},
      {"normal-mean", 1000, kOne, kPublic},
      {"normal", 10, kOne, kPublic},
      {"normal", 10, kTenth, kPrivate},
      {"normal", 30, kFive, kPrivate},
      {"normal", 100, kTenth, kPublic},
      {"normal", 10000, kOne, kPublic},
      {"pareto", 30, kTenth, kPublic},
      {"weibull", 10, kHundredth, kPublic},
      {"rayleigh", 10, kHundredth, kPublic},
      {"half-normal", 10, kOne, kPublic},
      {"maxwell", 10, kTenth, kPublic},
      {"log-normal", 10, kFive, kPublic},
      {"multivariate-normal", 10, kHundredth, kPrivate},
      {"log-normal", 30, kOne, kPrivate},
      {"log-normal", 100, kHundredth, kPublic},
      {"log-normal", 10000, kTenth, kPublic},
  };
  const std::vector<Setting> known = settings();
  std::vector<Cell> cells;
  for (const Row& row : kRows) {
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const auto& s) { return s.family == row.family; });
    cells.push_back({static_cast<std::size_t>(found - known.begin()), row.n,
                     epsilons()[static_cast<std::size_t>(row.epsilon)], row.adjacency});
  }
  return cells;
}

model::Study study_of(const Cell& cell) {
  Setting setting = settings()[cell.setting];
  model::Study study;
  study.name = "grid";
  study.dataset = "grid";
  study.privacy.adjacency = cell.adjacency;
  if (cell.adjacency == Adjacency::add_remove) study.privacy.n_at_most = 2 * cell.n;
  study.schema = model::Schema(std::move(setting.columns));
  study.model = std::move(setting.model);
  model::check_study(study);
  return study;
}

std::size_t studies_at_length(const Cell& cell) {
  const Setting setting = settings()[cell.setting];
  if (setting.columns.size() > 1) return kStudies;
  const model::NumberFamily* family = model::find_number_family(setting.family);
  return family != nullptr && family->squares ? kStudies : 4000;
}

std::size_t draws_of(const Cell& cell) { return settings()[cell.setting].columns.size() > 1 ? 39 : 99; }

}  // namespace postern::grid
