#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "postern/assess/coverage.hpp"
#include "postern/core/stop.hpp"
#include "postern/infer/infer.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/plan.hpp"

namespace postern::assess {

/// How often a calibrated posterior is called one that is not, by either of two tests.
inline constexpr double kCalibrationAlpha = 1e-6;

struct CalibrateOptions {
  std::size_t studies = 1000;     ///< M
  std::size_t draws = 99;         ///< L posterior draws a study
  std::optional<std::int64_t> n;  ///< required when public; when private it is drawn from its prior
  infer::EngineChoice engine = infer::EngineChoice::automatic;
  std::uint64_t seed = 1;
  int threads = 0;
};

/// How one quantity fared. A calibrated posterior gives uniform ranks (Talts et al. 2018).
struct QuantityCalibration {
  std::string name;           ///< p.1
  std::string label;          ///< P(smoker = yes)
  std::vector<double> ranks;  ///< (#{draws < truth} + U) / (L + 1), one a study
  double ks = 0;              ///< distance of the ranks from uniform
  double coverage_50 = 0, coverage_90 = 0, coverage_95 = 0;
  RankHistogram histogram;
  /// Ranks need not be uniform, and the 90 % interval alone is judged.
  bool by_coverage = false;
  /// Nothing speaks against uniform ranks: neither their distance, which sees shifts, nor the chi-square of
  /// twenty bins, which sees intervals too narrow or too wide. A calibrated posterior fails either once in a
  /// million. Fewer than 100 studies are too few for the bins. By coverage: did
  /// the intervals hold 85 % of the truths, so few held would be seen once in a million times.
  [[nodiscard]] bool calibrated() const;
};

struct Calibration {
  std::vector<QuantityCalibration> quantities;  ///< every parameter (of many the first 44), n where private
  std::size_t studies = 0;
  std::string truths = "the prior";  ///< what they were drawn from (model::truths_text)
  std::vector<std::string> cut;      ///< what posteriors took from coarse facts alone (Posterior::cut)
  /// What of the prior no chain can follow, as infer says it; cells left out.
  std::vector<std::string> notes;
  /// How many of them, the first, tell in what simulated studies are not what the posterior takes them for.
  std::size_t caveats = 0;
  /// The prior of a posterior whose scale is learned is not the law of the truths.
  [[nodiscard]] bool ranks_are_even() const;
  /// The distance a calibrated posterior exceeds with probability 1e-6: 2.70 / sqrt(M).
  [[nodiscard]] double ks_limit() const;
  [[nodiscard]] bool passed() const;
  /// The verdict in a sentence, with what so many studies could have seen: nobody should take a few hundred
  /// for a proof.
  [[nodiscard]] std::string verdict() const;
};

/// Simulation-based calibration of this very study and engine. Same answer for any number of threads. Throws
/// usage or bad_option when n is not as CalibrateOptions says, and what the engine throws.
[[nodiscard]] Calibration calibrate(const model::Study& study, const model::NoisePlan& plan,
                                    const CalibrateOptions& options, const Conversation& conversation);

}  // namespace postern::assess
