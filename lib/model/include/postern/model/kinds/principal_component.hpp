#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "postern/model/half_t.hpp"
#include "postern/model/kinds/multivariate_normal.hpp"
#include "postern/model/model.hpp"

namespace postern::model {

/// The directions in which the numbers of two to eight columns vary most: eigenvectors of the covariance (or
/// correlation) matrix of a multivariate normal, whose sums of products are what is measured.
struct PrincipalComponent {
  MultivariateNormal normal;
  std::size_t components = 2;  ///< whose axes are reported
  bool correlation = false;    ///< of columns scaled to variance 1
  /// From which the normal's follows, unless that is learned; nothing: that is a study's own.
  std::optional<HalfT> prior;
};
[[nodiscard]] const Kind& kind_of(const PrincipalComponent& model);

/// A study's `of`: "covariance", or "correlation", which is true.
[[nodiscard]] bool read_of_what(Node& node);

/// Eigenvalues of a symmetric matrix, the largest first, and their eigenvectors.
struct PrincipalAxes {
  std::vector<double> variances;  ///< d
  std::vector<double> axes;       ///< d x d, an axis a row, of length 1 and either sign
};
/// By Jacobi's rotations. @pre the matrix is d x d, row-major, symmetric, finite
[[nodiscard]] PrincipalAxes principal_axes(std::vector<double> matrix, std::size_t d);
/// Those of a covariance matrix, or of its correlations.
[[nodiscard]] PrincipalAxes principal_axes(const PrincipalComponent& model,
                                           const std::vector<double>& covariance);

/// The kind's parameters for d columns: share.1 ... share.d, variance.1 ... variance.d.
[[nodiscard]] std::vector<Parameter> component_parameters(std::size_t d);
/// Their values: shares of the variance, then the variances, the largest first.
[[nodiscard]] std::vector<double> component_values(const PrincipalAxes& axes);

/// Vectors that were made up, with what their law's components are.
class SimulatedComponents : public SimulatedRecords {
 public:
  SimulatedComponents(std::unique_ptr<const SimulatedRecords> vectors, std::vector<double> theta)
      : vectors_(std::move(vectors)), theta_(std::move(theta)) {}
  [[nodiscard]] const std::vector<double>& theta() const override { return theta_; }
  [[nodiscard]] std::int64_t outside() const override { return vectors_->outside(); }
  void for_each(const std::function<void(std::span<const std::uint32_t>, std::int64_t)>& add) const override {
    vectors_->for_each(add);
  }
  [[nodiscard]] const SimulatedRecords& vectors() const { return *vectors_; }

 private:
  std::unique_ptr<const SimulatedRecords> vectors_;
  std::vector<double> theta_;
};

}  // namespace postern::model
