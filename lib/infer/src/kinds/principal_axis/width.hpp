#pragma once

#include "postern/infer/width.hpp"
#include "postern/model/study.hpp"

#include "law.hpp"

namespace postern::infer {

/// By draws, of shares of the variance and of variances.
class AxisWidths : public WidthForecast {
 public:
  explicit AxisWidths(const model::Study& study);
  [[nodiscard]] std::vector<PriorWidth> rows() const override;
  [[nodiscard]] StudyWidths of(const MadeUpStudy& made, Rng& rng, const std::stop_token& stop) const override;

 private:
  [[nodiscard]] std::vector<double> widths(std::span<const std::int64_t> counts, std::size_t draws,
                                           Rng& rng) const;

  const model::Study& study_;  // NOLINT(*-avoid-const-or-ref-data-members): outlives the forecast
  AxisLaw law_;
};

}  // namespace postern::infer
