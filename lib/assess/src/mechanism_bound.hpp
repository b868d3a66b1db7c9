#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "postern/infer/network/problem.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study.hpp"

namespace postern::assess {

/// A number that holds of 19 in 20 releases, with the sentence it stands in.
struct MechanismBound {
  double limit = 0;
  std::string text;
};

/// What theory says of a plan for a network, from public numbers alone. Nothing where there is no theorem:
/// Fourier coefficients of columns with more than two levels, or in rho; a mode under a prior with a
/// parameter below 1, whose density is not log-concave.
[[nodiscard]] std::optional<MechanismBound> mechanism_bound(const model::Study& study,
                                                            const model::NoisePlan& plan,
                                                            const infer::NetworkProblem& network);

/// How far the posterior that takes noisy counts as they are may be from that of the counts, in nats, for
/// supposed counts: one table a family, in its order. Nothing where there is no theorem (Gaussian noise, n
/// private) or it would take long.
[[nodiscard]] std::optional<double> plug_in_divergence(const model::NoisePlan& plan,
                                                       const infer::NetworkProblem& network,
                                                       const std::vector<std::vector<std::int64_t>>& counts,
                                                       std::int64_t n);

/// Three digits, whole from 100 on.
[[nodiscard]] std::string short_number(double value);

}  // namespace postern::assess
