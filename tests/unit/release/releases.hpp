#pragma once

#include <string>
#include <utility>
#include <vector>

#include "postern/core/units.hpp"
#include "postern/model/kinds/number.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/model/plan.hpp"
#include "postern/release/release.hpp"

namespace postern::release::testing {

inline model::Column smoker() {
  model::Column column;
  column.name = "smoker";
  column.values = model::Categories{{"no", "yes"}};
  column.outside = model::MapTo{0};
  column.missing_declared = true;
  return column;
}

inline model::Column age() {
  model::Column column;
  column.name = "age";
  column.values = model::IntegerRange{18, 99, {30, 45, 60}};
  column.missing = model::MapTo{3};
  column.missing_declared = true;
  return column;
}

inline model::Column income() {
  model::Column column;
  column.name = "income";
  column.values = model::RealRange{Rational(-1, 2), 200, Rational(1, 4), {Rational(5, 2), 100}};
  column.missing = model::MapTo{1};
  column.outside = model::MapTo{2};
  return column;
}

/// replace-one, pure, a Bernoulli column: one count, n public.
inline model::Study smoking_study() {
  model::Study study;
  study.name = "smoking";
  study.dataset = "survey-2026";
  study.schema = model::Schema({smoker(), age(), income()});
  study.model = model::Bernoulli{"smoker", 1, Rational(1, 2), Rational(1, 2)};
  return study;
}

/// add-remove, zCDP, a unit of three records, a two-way table with a prior that is not flat.
inline model::Study people_study() {
  model::Study study = smoking_study();
  study.name = "age-by-smoking";
  study.dataset = "people.2026";
  study.privacy.adjacency = model::Adjacency::add_remove;
  study.privacy.unit = model::PersonUnit{"person_id", 3};
  study.privacy.currency = Currency::zcdp;
  study.privacy.n_at_most = 100'000;
  study.model = model::Categorical{{"smoker", "age"}, {1, 2, 3, 4, Rational(1, 2), 6, 7, 8}};
  return study;
}

/// replace-one, pure, a normal column: a sum and a sum of squares.
inline model::Study lengths_study() {
  model::Study study;
  study.name = "lengths";
  study.dataset = "workshop";
  study.schema = model::Schema({{"mm", model::RealRange{-3, 3, Rational(1, 2), {}}, model::MapTo{6}}});
  study.model = model::Number{"normal", "mm", {}, {Rational(-1, 2), 1, 3, Rational(7, 2)}};
  return study;
}

/// add-remove, zCDP, a unit of two records: a sum of logarithms and the number of records.
inline model::Study losses_study() {
  model::Study study;
  study.name = "losses";
  study.dataset = "claims";
  study.privacy.adjacency = model::Adjacency::add_remove;
  study.privacy.unit = model::PersonUnit{"policy", 2};
  study.privacy.currency = Currency::zcdp;
  study.privacy.n_at_most = 5000;
  study.schema = model::Schema({{"loss", model::RealRange{1, 1000, 1, {}}, model::Drop{}}});
  study.model = model::Number{"pareto", "loss", {1}, {2, 1}};
  return study;
}

/// As the gate would fill it, with made-up noisy values.
inline Release make_release(const model::Study& study, const std::string& amount,
                            std::vector<Int128> values) {
  const Currency currency = study.privacy.currency;
  const auto plan =
      model::make_noise_plan(study, model::default_mechanism(study), Spend::parse(currency, amount));
  Release out;
  out.release_id = "00112233445566778899aabbccddeeff";
  out.created = "2026-10-05";
  out.software = "postern 0.1.0";
  out.study = study;
  out.request.mechanism = plan.request.mechanism;
  out.cost = plan.cost;
  out.n = PublicCount{5000};
  if (study.privacy.n_at_most) out.n = PrivateCount{*study.privacy.n_at_most};
  for (const model::Block& block : plan.measurement.blocks) {
    const auto size = static_cast<std::ptrdiff_t>(block.size);
    out.blocks.push_back({block, {values.begin(), values.begin() + size}});
    values.erase(values.begin(), values.begin() + size);
  }
  out.ledger = {7, std::string(64, 'a'), "0123456789abcdef0123456789abcdef"};
  return out;
}

inline Release smoking_release() { return make_release(smoking_study(), "0.1", {1234}); }
inline Release people_release() {
  const Int128 huge = (Int128{1} << 53) + 1;
  return make_release(people_study(), "0.005", {10, -3, 0, 412, huge, -huge, 77, 5});
}
inline Release lengths_release() { return make_release(lengths_study(), "0.5", {-17, 4321}); }
inline Release losses_release() {
  return make_release(losses_study(), "0.02", {Int128{123456789012345}, 987});
}

}  // namespace postern::release::testing
