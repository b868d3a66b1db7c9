#pragma once

#include <vector>

#include "postern/infer/width.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// Of every cell of the first state's law and of the matrix: given all weighted transitions a Beta, given the
/// release by draws. Throws engine_limit for a chain whose posteriors would take a plan's reader minutes.
class ChainWidths : public WidthForecast {
 public:
  explicit ChainWidths(model::Study study);
  [[nodiscard]] std::vector<PriorWidth> rows() const override;
  [[nodiscard]] StudyWidths of(const MadeUpStudy& made, Rng& rng, const std::stop_token& stop) const override;

 private:
  /// Widths of all cells whose counts those are, in parts of a transition.
  [[nodiscard]] std::vector<double> widths_given(const std::vector<double>& counts) const;

  model::Study study_;
};

}  // namespace postern::infer
