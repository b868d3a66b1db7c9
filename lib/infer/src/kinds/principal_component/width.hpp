#pragma once

#include "postern/infer/width.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// By draws, of shares of the variance and of variances.
class ComponentWidths : public WidthForecast {
 public:
  explicit ComponentWidths(const model::Study& study) : study_(study) {}
  [[nodiscard]] std::vector<PriorWidth> rows() const override;
  [[nodiscard]] StudyWidths of(const MadeUpStudy& made, Rng& rng, const std::stop_token& stop) const override;

 private:
  const model::Study& study_;
};

}  // namespace postern::infer
