#pragma once

#include "postern/model/kinds/table.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/study.hpp"

#include "chooser.hpp"

namespace postern::drill {

/// A small study; every release costs `cost` of its dataset's budget.
inline model::Study study() {
  model::Study out;
  out.name = "drill";
  out.dataset = "drill-records";
  model::Column column;
  column.name = "answer";
  column.values = model::Categories{{"no", "yes", "maybe"}};
  column.outside = model::MapTo{0};
  out.schema = model::Schema({column});
  out.model = model::Categorical{{"answer"}, {1, 1, 1}};
  return out;
}

/// One of the same dataset that is released in three rounds.
inline model::Study study_in_rounds() {
  model::Study out = model::chooser_study({.adjacency = model::Adjacency::replace_one});
  out.dataset = study().dataset;
  return out;
}
/// Set for spenders that release it.
inline constexpr const char* kInRounds = "POSTERN_DRILL_ROUNDS";

inline constexpr const char* kCost = "0.001";

}  // namespace postern::drill
