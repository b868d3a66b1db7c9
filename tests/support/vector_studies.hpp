#pragma once

#include <string>
#include <utility>
#include <vector>

#include "postern/model/kinds/multivariate_normal.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/study.hpp"

namespace postern::model {

/// Whole numbers lo..hi, one pair a column; the columns are a, b, c, ...
using Box = std::vector<std::pair<std::int64_t, std::int64_t>>;

inline Schema box_schema(const Box& box) {
  std::vector<Column> columns;
  for (const auto& [lo, hi] : box) {
    columns.push_back({std::string(1, static_cast<char>('a' + columns.size())), IntegerRange{lo, hi, {}},
                       MapTo{0}, Clamp{}, true});
  }
  return Schema(std::move(columns));
}

/// A multivariate normal with variances 4 and covariances 1 in its scale.
inline Study vector_study(const Box& box, Adjacency adjacency, Currency currency) {
  Study study;
  study.name = "vectors";
  study.dataset = "vectors";
  study.privacy.adjacency = adjacency;
  study.privacy.currency = currency;
  if (adjacency == Adjacency::add_remove) study.privacy.n_at_most = 1000;
  study.schema = box_schema(box);
  MultivariateNormal model;
  const std::size_t d = box.size();
  for (const Column& column : study.schema.columns()) model.columns.push_back(column.name);
  model.mean.assign(d, Rational(1, 2));
  model.weight = 2;
  model.degrees = static_cast<long>(d) + 2;
  model.scale.assign(d * d, 1);
  for (std::size_t i = 0; i < d; ++i) model.scale[i * d + i] = 4;
  study.model = model;
  check_study(study);
  return study;
}

}  // namespace postern::model
