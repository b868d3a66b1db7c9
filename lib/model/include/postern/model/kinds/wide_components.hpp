#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/kinds/principal_component.hpp"
#include "postern/model/model.hpp"
#include "postern/model/statistic/moments.hpp"
#include "postern/model/wishart.hpp"

namespace postern::model {

inline constexpr std::size_t kMostWideColumns = 30;

/// Principal components of more columns than latent records are drawn for. The columns, scaled to -1..1 by
/// their declared bounds, are jointly Normal(mu, Sigma) with a half-t prior; or one that a study states:
/// Sigma ~ inverse-Wishart(degrees, (degrees - d - 1) spread I), whose mean is spread I, and mu | Sigma ~
/// Normal(0, Sigma / weight). Measured are the sums of
/// their products, as those of a regression of the last column on the others: Moments.
struct WideComponents {
  std::vector<std::string> columns;
  std::size_t components = 2;  ///< whose axes are reported
  bool correlation = false;    ///< of columns scaled to variance 1
  /// The prior's scales are learned (docs/priors.md); plans take the planning law of a multivariate normal.
  bool learned = false;
  std::optional<HalfT> prior;  ///< else the three numbers that follow
  Rational weight = 1;
  Rational degrees;  ///< d + 11 unless a study says otherwise
  Rational spread = Rational(1, 10);
};
[[nodiscard]] const Kind& kind_of(const WideComponents& model);

/// The prior of the scaled columns.
[[nodiscard]] WishartPrior wide_prior(const WideComponents& model);
/// The components of a covariance matrix of scaled columns, in the study's units.
[[nodiscard]] PrincipalAxes wide_axes(const WideComponents& model, const Schema& schema,
                                      const std::vector<double>& scaled);

}  // namespace postern::model
