#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "postern/core/warning.hpp"
#include "postern/model/kinds/principal_component.hpp"

namespace postern::infer {

/// How much of the differences between shares of the variance is there without noise: those of the mean
/// covariance over those of the draws, as sums of squares about equal shares. Variances that are nearly equal
/// are driven apart by noise, once in the release and once more in every draw.
[[nodiscard]] double share_of_differences(std::span<const model::PrincipalAxes> draws, std::size_t d);

/// shares-spread where that is little, of three columns or more.
[[nodiscard]] std::optional<Warning> spread_warning(std::span<const model::PrincipalAxes> draws,
                                                    std::size_t d);

}  // namespace postern::infer
