#pragma once

#include <optional>
#include <span>
#include <vector>

#include "postern/core/warning.hpp"
#include "postern/infer/chains/driver.hpp"
#include "postern/infer/posterior.hpp"

namespace postern::infer {

/// What draws say of another prior: log p(draw | its scale about `times` what it is) - log p(draw) of every
/// draw that was kept, chain after chain, up to a constant. Scales that the density can be integrated over
/// are best integrated out: the ratios vary less then.
struct ScaleRatios {
  double times = 1;
  std::vector<double> values;
};

/// Those that chains report of half and twice the scale, as quantities of so many draws each.
[[nodiscard]] std::vector<ScaleRatios> half_and_twice(const ChainRun& run, std::size_t half,
                                                      std::size_t twice, std::size_t draws);

/// prior-decides, where the mean of a reported quantity would move by more than 0.75 of its standard
/// deviation under one of the other priors: draws are weighed by their ratios. (Half of it came up in 3 of 96
/// releases of real tables whose intervals hold, .6 of it in none.) Nothing where weights are not to be
/// relied on (Pareto k of 0.7 or more), or where the move is within two errors of the weighted mean.
[[nodiscard]] std::optional<Warning> scale_prior_warning(const Posterior& posterior,
                                                         std::span<const ScaleRatios> others);

}  // namespace postern::infer
