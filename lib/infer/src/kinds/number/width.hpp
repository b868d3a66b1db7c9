#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "postern/infer/width.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// By draws: from the prior updated with the records as they are, and from the posterior of the release.
class NumberWidths : public WidthForecast {
 public:
  explicit NumberWidths(const model::Study& study) : study_(study) {}
  [[nodiscard]] std::vector<PriorWidth> rows() const override;
  [[nodiscard]] StudyWidths of(const MadeUpStudy& made, Rng& rng, const std::stop_token& stop) const override;

 private:
  const model::Study& study_;
};

/// What the posterior of such a release takes: the column's levels and some thousand nodes of a grid, and
/// latent records where they are what `infer` takes.
[[nodiscard]] double number_bytes(const model::Study& study, std::optional<std::int64_t> n);

}  // namespace postern::infer
