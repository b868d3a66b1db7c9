#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "postern/infer/network/problem.hpp"
#include "postern/infer/width.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// Of every cell of every table: given all records a Beta, given the release by draws. Throws engine_limit
/// for a network whose chains would take a plan's reader minutes.
class NetworkWidths : public WidthForecast {
 public:
  explicit NetworkWidths(model::Study study);
  [[nodiscard]] std::vector<PriorWidth> rows() const override;
  [[nodiscard]] StudyWidths of(const MadeUpStudy& made, Rng& rng, const std::stop_token& stop) const override;

 private:
  model::Study study_;
  NetworkProblem problem_;  ///< prior only
};

/// What the engine of `auto` would hold for such a release, judged at the prior's mean.
[[nodiscard]] double network_bytes(const model::Study& study, const model::NoisePlan& plan,
                                   std::optional<std::int64_t> n);

}  // namespace postern::infer
