#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "postern/core/warning.hpp"
#include "postern/model/kinds/principal_component.hpp"

namespace postern::infer {

/// How far noise spreads shares of the variance: by so many of its own sds the share that is moved most lies,
/// on average over the draws, from that of the mean covariance. Ordered variances that are nearly equal are
/// driven apart by noise, once in the release and once more in every draw. @pre d numbers in each of the draws
[[nodiscard]] double share_spread(std::span<const model::PrincipalAxes> draws, std::size_t d);

/// shares-spread where that is much.
[[nodiscard]] std::optional<Warning> spread_warning(std::span<const model::PrincipalAxes> draws,
                                                    std::size_t d);

}  // namespace postern::infer
