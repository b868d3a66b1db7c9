#pragma once

#include <Eigen/Dense>

namespace postern::infer {

using DenseMatrix = Eigen::MatrixXd;
using DenseVector = Eigen::VectorXd;

}  // namespace postern::infer
