#pragma once

#include <span>

#include "postern/core/units.hpp"

namespace postern::assess {

/// What the outputs of a mechanism on two neighbours prove about its privacy loss. An audit only falsifies: a
/// bound below the claim proves nothing (Gilbert & McMillan 2018), one above it proves a bug, up to
/// probability alpha.
struct AuditBound {
  double lower = 0;      ///< with probability >= 1 - alpha the true epsilon (or rho) is at least this
  double threshold = 0;  ///< the event: statistic >= threshold, or <= if `below`
  bool below = false;
  bool swapped = false;  ///< the event is likelier on the neighbour
};

/// `on_d` and `on_neighbour` are one real statistic of each output. The event is chosen on the first half of
/// the runs and judged on the second (audit_stat.md): pure, ln of Clopper-Pearson limits; zcdp, mu^2/2
/// from the limits of the two error rates of the Gaussian trade-off curve.
[[nodiscard]] AuditBound audit_lower_bound(std::span<const double> on_d, std::span<const double> on_neighbour,
                                           Currency currency, double alpha);

/// The same of rho, for outputs that are not of Gaussian noise alone, such as choices among candidates: what
/// an event shows is the Renyi divergence of its two probabilities over its order, for the best of some
/// orders. Holds of any mechanism, and sees 2/pi of the rho of Gaussian noise where that is small.
[[nodiscard]] AuditBound audit_renyi_bound(std::span<const double> on_d, std::span<const double> on_neighbour,
                                           double alpha);

}  // namespace postern::assess
