#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "postern/model/kinds/logistic_regression.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study.hpp"

namespace postern::model {

/// How a study of a logistic regression is made up.
struct LogisticSetting {
  std::uint32_t numbers = 1;   ///< features that are numbers, of 41 levels
  std::uint32_t category = 0;  ///< levels of one more feature; 0: none
  std::size_t rounds = 3;
  Adjacency adjacency = Adjacency::replace_one;
  Currency currency = Currency::pure;
  std::int64_t n = 300;  ///< expected, and half of what n may be
  std::uint32_t levels = 41;
  Covariates covariates = {};
};

inline Study logistic_study(const LogisticSetting& setting = {}) {
  Study study;
  study.name = study.dataset = "logistic";
  study.privacy.adjacency = setting.adjacency;
  study.privacy.currency = setting.currency;
  if (setting.adjacency == Adjacency::add_remove) study.privacy.n_at_most = 2 * setting.n;
  LogisticRegression model;
  model.target = "y";
  model.split.assign(setting.rounds, Rational(1));
  model.expected_records = setting.n;
  model.covariates = setting.covariates;
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < setting.numbers; ++i) {
    Column& column = columns.emplace_back();
    column.name = "x" + std::to_string(i + 1);
    column.values = IntegerRange{0, std::int64_t{setting.levels} - 1, {}};
  }
  for (const bool target : {false, true}) {
    if (!target && setting.category == 0) continue;
    Column& column = columns.emplace_back();
    column.name = target ? "y" : "c";
    Categories values;
    for (std::uint32_t l = 0; l < (target ? 2 : setting.category); ++l)
      values.labels.push_back("level " + std::to_string(l));
    column.values = values;
    column.outside = MapTo{0};
  }
  for (const Column& column : columns) {
    if (column.name != "y") model.features.push_back(column.name);
  }
  study.schema = Schema(std::move(columns));
  study.model = model;
  check_study(study);
  return study;
}

inline NoisePlan logistic_plan(const Study& study, const std::string& amount) {
  return make_noise_plan(study, default_mechanism(study), Spend::parse(study.privacy.currency, amount));
}

}  // namespace postern::model
