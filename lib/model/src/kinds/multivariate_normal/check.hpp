#pragma once

#include "postern/model/kinds/multivariate_normal.hpp"

namespace postern::model {

/// Refuses columns that are not two to eight ranges of numbers, and priors that are none.
void check_vector(const MultivariateNormal& model, const Schema& schema);

}  // namespace postern::model
