#pragma once

#include <string>
#include <vector>

#include "postern/infer/moments/problem.hpp"
#include "postern/model/kinds/linear_regression.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// Columns of numbers that are normal together, with what releases say of their sums and products: the
/// problem of multivariate normals and of principal components.
struct NormalColumns {
  std::vector<std::string> names;
  std::vector<model::RegressionScale> scales;  ///< x = centre + half w
  std::vector<double> steps;  ///< of the grid that records are rounded to, in halves of ranges
  ScatterProblem problem;     ///< under the learned prior
};

/// What the releases of one record set say, be it sums of steps of the columns' grids or of scaled products.
/// Throws release_inconsistent, releases_conflict.
[[nodiscard]] NormalColumns make_normal_columns(const std::vector<std::string>& names,
                                                const release::RecordSet& releases);

/// Takes the learned prior of columns whose axes are asked for: sds are alike in the study's units.
void ask_for_axes(NormalColumns& columns);

/// Replaces the learned prior by a stated one, which is in the study's units.
void state_prior(NormalColumns& columns, model::WishartPrior prior);

}  // namespace postern::infer
