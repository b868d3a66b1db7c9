#pragma once

#include "postern/infer/chains/driver.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// Turns coefficients and sigma, the first quantities of the chains, into the study's units.
void take_natural_units(ChainRun& run, const model::Study& study, std::size_t draws);

/// The mean of a quantity over all chains.
[[nodiscard]] double mean_quantity(const ChainRun& run, std::size_t quantity, std::size_t draws);

}  // namespace postern::infer
