#pragma once

#include <memory>
#include <vector>

#include "postern/infer/width.hpp"
#include "postern/model/study.hpp"

#include "level_law.hpp"

namespace postern::infer {

/// Of every parameter of the records' law: given the records by draws of it, given the release by draws of
/// its posterior.
class ChoiceWidths : public WidthForecast {
 public:
  explicit ChoiceWidths(const model::Study& study);
  [[nodiscard]] std::vector<PriorWidth> rows() const override;
  [[nodiscard]] StudyWidths of(const MadeUpStudy& made, Rng& rng, const std::stop_token& stop) const override;

 private:
  [[nodiscard]] std::vector<double> widths(std::span<const std::int64_t> counts, std::size_t draws,
                                           Rng& rng) const;

  const model::Study& study_;  // NOLINT(*-avoid-const-or-ref-data-members): outlives the forecast
  std::unique_ptr<const LevelLaw> law_;
};

}  // namespace postern::infer
