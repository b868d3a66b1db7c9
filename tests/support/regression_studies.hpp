#pragma once

#include <string>
#include <utility>
#include <vector>

#include "postern/model/kinds/linear_regression.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study.hpp"

namespace postern::model {

/// The columns of a small regression: numbers of so many levels, categories of so many, and the target.
struct RegressionShape {
  std::vector<std::uint32_t> numbers;
  std::vector<std::uint32_t> categories;
  std::uint32_t target = 3;
  std::int64_t steps = 2;
  bool feature_products = true;
};

inline Column small_number(const std::string& name, std::uint32_t levels) {
  return {name, IntegerRange{0, std::int64_t{levels} - 1, {}}, MapTo{0}, Clamp{}, true};
}

/// Numbers u, v, ..., categories a, b, ... and the target y.
inline Study regression_study(const RegressionShape& shape, Adjacency adjacency, Currency currency) {
  Study study;
  study.name = "line";
  study.dataset = "lines";
  study.privacy.adjacency = adjacency;
  study.privacy.currency = currency;
  if (adjacency == Adjacency::add_remove) study.privacy.n_at_most = 100'000;
  LinearRegression model;
  std::vector<Column> columns;
  for (const std::uint32_t levels : shape.numbers)
    columns.push_back(small_number("x" + std::to_string(columns.size()), levels));
  for (const std::uint32_t levels : shape.categories) {
    Categories categories;
    for (std::uint32_t l = 0; l < levels; ++l) categories.labels.push_back("l" + std::to_string(l));
    columns.push_back({"c" + std::to_string(columns.size()), categories, MapTo{0}, MapTo{0}, true});
  }
  for (const Column& column : columns) model.features.push_back(column.name);
  columns.push_back(small_number("y", shape.target));
  model.target = "y";
  model.steps = shape.steps;
  model.feature_products = shape.feature_products;
  study.schema = Schema(std::move(columns));
  const std::size_t entries = regression_entries(model, study.schema).size() - 1;
  model.prior.slopes = Rational(static_cast<long>(entries), 5);
  study.model = model;
  check_study(study);
  return study;
}

inline NoisePlan regression_plan(const Study& study, const char* amount) {
  return make_noise_plan(study, default_mechanism(study), Spend::parse(study.privacy.currency, amount));
}

}  // namespace postern::model
