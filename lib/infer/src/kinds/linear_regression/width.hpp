#pragma once

#include <vector>

#include "postern/infer/width.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// By draws, of coefficients and of sigma.
class RegressionWidths : public WidthForecast {
 public:
  explicit RegressionWidths(const model::Study& study) : study_(study) {}
  [[nodiscard]] std::vector<PriorWidth> rows() const override;
  [[nodiscard]] StudyWidths of(const MadeUpStudy& made, Rng& rng, const std::stop_token& stop) const override;

 private:
  const model::Study& study_;
};

/// What the chains of a study's posterior hold.
[[nodiscard]] double regression_bytes(const model::Study& study);

}  // namespace postern::infer
