#pragma once

#include "postern/model/number_family.hpp"

namespace postern::model {

// One file each, of the same name.
[[nodiscard]] NumberFamily binomial_family();
[[nodiscard]] NumberFamily poisson_family();
[[nodiscard]] NumberFamily geometric_family();
[[nodiscard]] NumberFamily negative_binomial_family();
[[nodiscard]] NumberFamily exponential_family();
[[nodiscard]] NumberFamily gamma_family();
[[nodiscard]] NumberFamily normal_mean_family();
[[nodiscard]] NumberFamily normal_family();
[[nodiscard]] NumberFamily pareto_family();
[[nodiscard]] NumberFamily weibull_family();
[[nodiscard]] NumberFamily rayleigh_family();
[[nodiscard]] NumberFamily half_normal_family();
[[nodiscard]] NumberFamily maxwell_family();
[[nodiscard]] NumberFamily log_normal_family();

}  // namespace postern::model
