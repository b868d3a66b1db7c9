#pragma once

#include <algorithm>
#include <cmath>
#include <variant>

#include "postern/infer/kinds/total.hpp"
#include "postern/infer/noise/noisy_sum.hpp"

namespace postern::infer {

/// The number of records as Gibbs engines draw it: n is the whole number nearest to a place on the line, so
/// that one slice sampler serves few records and 10^9.
struct LatentN {
  bool latent = false;
  double most = 0;       ///< n itself, or the bound on it
  double log_slope = 0;  ///< of the prior

  LatentN() = default;
  explicit LatentN(const std::variant<KnownTotal, LatentTotal>& total) {
    if (const auto* bound = std::get_if<LatentTotal>(&total)) {
      latent = true;
      most = static_cast<double>(bound->at_most);
      log_slope = bound->log_slope;
    } else {
      most = static_cast<double>(std::get<KnownTotal>(total).n);
    }
  }
  [[nodiscard]] double at(double place) const { return std::clamp(std::round(place), 0.0, most); }
  /// Where to begin, if `seen` records seem to be there.
  [[nodiscard]] double guess(double seen) const { return latent ? std::clamp(seen, 0.0, most) : most; }
};

}  // namespace postern::infer
