#pragma once

#include <string>
#include <utility>
#include <vector>

#include "postern/model/kinds/number.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/number_family.hpp"
#include "postern/model/study.hpp"

namespace postern::model {

/// A range of numbers: lo, lo + grid, ..., hi.
struct NumberRange {
  Rational lo;
  Rational hi;
  Rational grid = 1;
};

/// A column of numbers named x; whole numbers if the family wants them (the grid must be 1 then).
inline Column number_column(const NumberFamily& family, const NumberRange& range) {
  if (family.whole) return {"x", IntegerRange{range.lo.get_num().get_si(), range.hi.get_num().get_si(), {}}};
  return {"x", RealRange{range.lo, range.hi, range.grid, {}}};
}

/// The family's model with some known parameters and a prior that is not flat.
inline Number number_model(const NumberFamily& family, const NumberRange& range) {
  Number model{std::string(family.name), "x", {}, {}};
  for (const NamedNumber& number : family.known) {
    const bool trials = number.rule == NumberRule::whole;
    const bool minimum = number.name == "minimum";
    model.known.push_back(trials ? range.hi : (minimum ? range.lo : Rational(3, 2)));
  }
  for (std::size_t i = 0; i < family.prior_numbers.size(); ++i)
    model.prior.push_back(Rational(static_cast<long>(i) + 3, 2));
  return model;
}

struct NumberStudy {
  NumberRange range;
  Adjacency adjacency = Adjacency::replace_one;
  Currency currency = Currency::pure;
};

inline Study number_study(const NumberFamily& family, const NumberStudy& shape) {
  Study study;
  study.name = "numbers";
  study.dataset = "numbers";
  study.privacy.adjacency = shape.adjacency;
  study.privacy.currency = shape.currency;
  if (shape.adjacency == Adjacency::add_remove) study.privacy.n_at_most = 1000;
  study.schema = Schema({number_column(family, shape.range)});
  study.model = number_model(family, shape.range);
  check_study(study);
  return study;
}

/// Coarse ranges that suit the family: from 0 on, without 0 inside, and with 0 in the midst where it may be.
inline std::vector<NumberRange> coarse_ranges(const NumberFamily& family) {
  if (family.bounded) return {{0, 1}, {0, 5}, {0, 11}};
  if (family.whole) return {{0, 11}, {3, 9}, {0, 1}};
  const Rational quarter(1, 4);
  std::vector<NumberRange> ranges{{1, Rational(7, 2), quarter}, {quarter, 3, quarter}};
  const auto known = number_model(family, ranges.front()).known;
  const bool log = family.transform(known).kind == Transform::Kind::log;
  if (!log) ranges.push_back({0, Rational(11, 4), quarter});
  if (!family.non_negative) {
    ranges.push_back({-1, Rational(7, 4), quarter});
    ranges.push_back({-3, 3, Rational(3, 5)});
    ranges.push_back({-1, 1, 1});
    ranges.push_back({Rational(-11, 4), Rational(-1, 4), quarter});
  }
  return ranges;
}

}  // namespace postern::model
