#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "postern/assess/simulate.hpp"
#include "postern/assess/width.hpp"
#include "postern/model/kinds/number.hpp"
#include "postern/model/study.hpp"

namespace postern::assess {

/// Widths in one simulated study: noiseless and expected, one entry a shown quantity.
struct OneStudy {
  std::vector<double> without_noise;
  std::vector<double> expected;
  double outside = 0;  ///< share of the records outside of their columns' range
};

/// Width of the central 90 % of draws.
[[nodiscard]] double width_of(std::vector<double> draws);
/// Of every quantity of the release's posterior, by draws.
[[nodiscard]] std::vector<double> posterior_widths(const SimulatedStudy& made, Rng& rng,
                                                   const std::stop_token& stop);
/// What chains of latent records take, of so many bytes each: as many chains as `infer` runs unasked, n
/// records or as many as the study allows.
[[nodiscard]] double latent_bytes(const model::Study& study, std::optional<std::int64_t> n, double bytes);

/// One row a parameter of the number's family, and one for n where it is private, with the prior's widths.
[[nodiscard]] std::vector<WidthRow> blank_number_rows(const model::Study& study);
/// By draws: from the prior updated with the records as they are, and from the posterior of the release.
[[nodiscard]] OneStudy number_widths(const SimulatedStudy& made, Rng& rng, const std::stop_token& stop);
/// What the posterior of such a release takes: the column's levels and some thousand nodes of a grid, and
/// latent records where they are what `infer` takes.
[[nodiscard]] double number_bytes(const model::Number& model, const model::Study& study,
                                  std::optional<std::int64_t> n);

}  // namespace postern::assess
