#pragma once

#include <string>
#include <utility>
#include <vector>

#include "postern/model/kinds/generalised_linear.hpp"

#include "regression_studies.hpp"

namespace postern::model {

/// The columns of `regression_study` with a target of two labelled levels, or a count of as many as the shape
/// says.
inline Study glm_study(const RegressionShape& shape, GlmFamily family, Adjacency adjacency,
                       Currency currency) {
  Study study = regression_study(shape, adjacency, currency);
  GeneralisedLinear model;
  model.family = family;
  model.features = study.model.get<LinearRegression>().features;
  model.target = "y";
  model.steps = shape.steps;
  model.feature_products = shape.feature_products;
  if (family == GlmFamily::poisson) model.prior_sd = 1;
  std::vector<Column> columns = study.schema.columns();
  if (family == GlmFamily::logistic)
    columns.back() = {"y", Categories{{"no", "yes"}}, MapTo{0}, MapTo{0}, true};
  study.schema = Schema(std::move(columns));
  study.model = model;
  check_study(study);
  return study;
}

}  // namespace postern::model
