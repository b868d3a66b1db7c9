#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/core/stop.hpp"
#include "postern/infer/engine_choice.hpp"
#include "postern/infer/posterior.hpp"
#include "postern/release/release.hpp"

namespace postern::infer {

/// Public auxiliary records, already counted by cell of the model's table (for bernoulli: failures,
/// successes).
struct PublicCounts {
  std::vector<std::int64_t> counts;
};

struct InferOptions {
  EngineChoice engine = EngineChoice::automatic;
  int chains = 4;
  std::size_t draws = 1000;  ///< per chain
  std::uint64_t seed = 1;
  int threads = 0;
  bool summarise = true;                       ///< false: draws only, no summary table (calibration)
  std::optional<std::vector<Rational>> prior;  ///< replaces the release's prior: (a, b), or one alpha a cell
  std::optional<PublicCounts> public_rows;
  std::size_t memory_limit = std::size_t{2} << 30;  ///< bytes; past it engine_limit with the forecast
};

/// The posterior of the model's parameters given one or more releases. The only switch over model kinds on
/// the analyst's side. Throws releases_conflict, engine_unsuitable, engine_limit.
[[nodiscard]] Posterior infer(std::span<const release::Release> releases, const InferOptions& options,
                              const Conversation& conversation);

}  // namespace postern::infer
