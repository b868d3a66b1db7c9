#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "postern/model/kinds/choice.hpp"
#include "postern/model/kinds/number.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study.hpp"

namespace postern::model {

/// How a study that chooses is made up.
struct ChoiceSetting {
  Adjacency adjacency = Adjacency::replace_one;
  Currency currency = Currency::pure;
  std::int64_t n_at_most = 30;
  std::int64_t draws = 1;
};

inline Study choice_study(Column column, Choice model, const ChoiceSetting& setting = {}) {
  Study study;
  study.name = study.dataset = "choice";
  study.privacy.adjacency = setting.adjacency;
  study.privacy.currency = setting.currency;
  if (setting.adjacency == Adjacency::add_remove) study.privacy.n_at_most = setting.n_at_most;
  model.draws = setting.draws;
  study.schema = Schema({std::move(column)});
  study.model = std::move(model);
  check_study(study);
  return study;
}

inline Column categories(std::uint32_t levels) {
  Column column;
  column.name = "x";
  Categories values;
  for (std::uint32_t l = 0; l < levels; ++l) values.labels.push_back("level " + std::to_string(l));
  column.values = values;
  column.outside = MapTo{0};
  return column;
}

/// The nine multiples of 0.1 as the probability of a coin (Williams and McSherry 2010, 3.2).
inline Choice coin_choice() {
  Choice model;
  model.records = Bernoulli{"x", 1, 1, 1};
  for (int i = 1; i <= 9; ++i) {
    Rational point(i, 10);
    point.canonicalize();
    model.points.push_back({point});
  }
  return model;
}
inline Study coin_study(const ChoiceSetting& setting = {}) {
  return choice_study(categories(2), coin_choice(), setting);
}

/// Candidates that nobody would think of, scored at three levels.
inline Study scored_study(const ChoiceSetting& setting = {}) {
  Choice model;
  model.records = Categorical{{"x"}, {1, Rational(1, 2), 2}};
  model.names = {"a", "b", "c", "d"};
  model.scores = {5, 0, -3, 0, 4, 0, -2, -2, 6, 1, 1, 0};
  return choice_study(categories(3), std::move(model), setting);
}

/// A mean between 0 and 10, of numbers that are clamped to 0..10.
inline Study mean_study(const ChoiceSetting& setting = {}) {
  Choice model;
  model.records = Number{"normal-mean", "x", {4}, {5, 9}};
  model.power = Rational(1, 5);
  for (int i = 0; i <= 10; i += 2) model.points.push_back({Rational(i)});
  Column column;
  column.name = "x";
  column.values = IntegerRange{0, 10, {}};
  return choice_study(std::move(column), std::move(model), setting);
}

inline NoisePlan choice_plan(const Study& study, const std::string& amount) {
  return make_noise_plan(study, default_mechanism(study), Spend::parse(study.privacy.currency, amount));
}

}  // namespace postern::model
