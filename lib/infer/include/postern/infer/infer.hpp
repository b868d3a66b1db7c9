#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/core/stop.hpp"
#include "postern/infer/auxiliary.hpp"
#include "postern/infer/engine_choice.hpp"
#include "postern/infer/posterior.hpp"
#include "postern/release/release.hpp"

namespace postern::infer {

struct InferOptions {
  EngineChoice engine = EngineChoice::automatic;
  /// How the map engine learns its point, by a name of the kind's own; empty: as the kind does by default.
  std::string estimator = {};
  int chains = 4;
  std::size_t draws = 1000;  ///< per chain
  std::uint64_t seed = 1;
  int threads = 0;
  bool summarise = true;                       ///< false: draws only, no summary table (calibration)
  bool check_noise = true;                     ///< is the posterior held against what was released?
  std::optional<std::vector<Rational>> prior;  ///< replaces the release's: the numbers of the model's prior
  double prior_scale = 1;  ///< of a learned prior: the law of its scale is about so many times its own
  std::optional<PublicRows> public_rows;
  std::size_t memory_limit = std::size_t{2} << 30;  ///< bytes; past it engine_limit with the forecast
};

/// The posterior of the model's parameters given one or more releases.
/// Throws releases_conflict, release_inconsistent, engine_unsuitable, engine_limit, bad_prior, bad_option,
/// unsupported, usage (no release), interrupted.
[[nodiscard]] Posterior infer(std::span<const release::Release> releases, const InferOptions& options,
                              const Conversation& conversation);

}  // namespace postern::infer
