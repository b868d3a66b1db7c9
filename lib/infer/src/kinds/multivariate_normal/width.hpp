#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "postern/infer/width.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// By draws, of means, variances and covariances.
class VectorWidths : public WidthForecast {
 public:
  explicit VectorWidths(const model::Study& study) : study_(study) {}
  [[nodiscard]] std::vector<PriorWidth> rows() const override;
  [[nodiscard]] StudyWidths of(const MadeUpStudy& made, Rng& rng, const std::stop_token& stop) const override;

 private:
  const model::Study& study_;
};

/// What the posterior of such a release takes: its latent records, n of them, and the columns' levels.
[[nodiscard]] double vector_bytes(const model::Study& study, std::optional<std::int64_t> n);

}  // namespace postern::infer
