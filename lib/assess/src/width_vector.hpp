#pragma once

#include <optional>
#include <vector>

#include "postern/model/kinds/multivariate_normal.hpp"
#include "postern/model/study.hpp"

#include "width_number.hpp"

namespace postern::assess {

/// One row a mean, variance and covariance, and one for n where it is private, with the prior's widths.
[[nodiscard]] std::vector<WidthRow> blank_vector_rows(const model::Study& study);
/// As number_widths, of a multivariate normal.
[[nodiscard]] OneStudy vector_widths(const SimulatedStudy& made, Rng& rng, const std::stop_token& stop);
/// What the posterior of such a release takes: its latent records, n of them, and the columns' levels.
[[nodiscard]] double vector_bytes(const model::MultivariateNormal& model, const model::Study& study,
                                  std::optional<std::int64_t> n);

}  // namespace postern::assess
