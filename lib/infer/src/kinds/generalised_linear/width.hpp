#pragma once

#include "postern/infer/width.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// By draws; without noise by the information that records have about the coefficients.
class GlmWidths : public WidthForecast {
 public:
  /// @pre the study outlives it
  explicit GlmWidths(const model::Study& study) : study_(&study) {}
  [[nodiscard]] std::vector<PriorWidth> rows() const override;
  [[nodiscard]] StudyWidths of(const MadeUpStudy& made, Rng& rng, const std::stop_token& stop) const override;

 private:
  const model::Study* study_;
};

}  // namespace postern::infer
