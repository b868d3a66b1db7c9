#pragma once

#include <string>
#include <utility>
#include <vector>

#include "postern/model/kinds/table.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/plan.hpp"

namespace postern::model {

/// A column of `levels` categories named after their number.
inline Column plain_column(std::string name, std::uint32_t levels) {
  Column column;
  column.name = std::move(name);
  Categories categories;
  for (std::uint32_t level = 0; level < levels; ++level)
    categories.labels.push_back(std::string("c").append(std::to_string(level)));
  column.values = std::move(categories);
  column.outside = MapTo{0};
  return column;
}

struct SmallStudy {
  std::uint32_t levels = 2;  ///< two: bernoulli; more: categorical
  Adjacency adjacency = Adjacency::replace_one;
  Currency currency = Currency::pure;
  std::int64_t n_at_most = 1000;  ///< add-remove only
  Rational prior = 1;             ///< every parameter of the Beta or Dirichlet
  std::uint32_t success = 1;      ///< of a bernoulli: its level
};

inline Study small_study(const SmallStudy& shape) {
  Study study;
  study.name = "small";
  study.dataset = "small";
  study.privacy.adjacency = shape.adjacency;
  study.privacy.currency = shape.currency;
  if (shape.adjacency == Adjacency::add_remove) study.privacy.n_at_most = shape.n_at_most;
  study.schema = Schema({plain_column("x", shape.levels)});
  if (shape.levels == 2) {
    study.model = Bernoulli{"x", shape.success, shape.prior, shape.prior};
  } else {
    study.model = Categorical{{"x"}, std::vector<Rational>(shape.levels, shape.prior)};
  }
  return study;
}

/// The plan whose epsilon is `epsilon`, or whose rho is epsilon^2 / 2.
inline NoisePlan small_plan(const Study& study, const Rational& epsilon) {
  const bool pure = study.privacy.currency == Currency::pure;
  const Rational amount = pure ? epsilon : Rational(epsilon * epsilon / 2);
  return make_noise_plan(study, default_mechanism(study), Spend::floor(study.privacy.currency, amount));
}

}  // namespace postern::model
