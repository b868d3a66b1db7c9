#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "postern/infer/width.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// Width of the central 90 % of draws.
[[nodiscard]] double width_of(std::vector<double> draws);
/// Of every quantity of the release's posterior, by draws.
[[nodiscard]] std::vector<double> posterior_widths(const MadeUpStudy& made, Rng& rng,
                                                   const std::stop_token& stop);
/// Adds the row of n, where it is private.
void add_total(std::vector<PriorWidth>& rows, const model::Study& study);
/// What chains of latent records take, of so many bytes each: as many chains as `infer` runs unasked, n
/// records or as many as the study allows.
[[nodiscard]] double latent_bytes(const model::Study& study, std::optional<std::int64_t> n, double bytes);

}  // namespace postern::infer
