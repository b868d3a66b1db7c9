#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/model/model.hpp"
#include "postern/release/release.hpp"

namespace postern::infer {

/// A quantity of the posterior, and how wide the central 90 % of its prior is.
struct PriorWidth {
  std::string label;  ///< P(smoker = yes), number of records
  double width = 0;
  bool is_total = false;  ///< the number of records
};

/// Widths of central 90 % intervals in one simulated study, one entry a quantity that is looked at.
struct StudyWidths {
  std::vector<double> without_noise;  ///< had the statistics been published as they are
  std::vector<double> expected;       ///< given the noisy release
};

/// A study that was made up.
struct MadeUpStudy {
  const model::SimulatedRecords& records;
  std::int64_t n = 0;  ///< records that are kept
  const release::Release& release;
};

/// How wide intervals of a study's posterior would be.
class WidthForecast {
 public:
  WidthForecast() = default;
  WidthForecast(const WidthForecast&) = delete;
  WidthForecast& operator=(const WidthForecast&) = delete;
  virtual ~WidthForecast() = default;
  /// One a parameter, and one for n where it is private.
  [[nodiscard]] virtual std::vector<PriorWidth> rows() const = 0;
  [[nodiscard]] virtual StudyWidths of(const MadeUpStudy& made, Rng& rng,
                                       const std::stop_token& stop) const = 0;
  /// Which entry of StudyWidths tells of a row: its own, unless rows are alike.
  [[nodiscard]] virtual std::size_t entry(std::size_t row) const { return row; }
};

}  // namespace postern::infer
