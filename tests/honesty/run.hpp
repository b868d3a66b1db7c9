#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "honest_case.hpp"

namespace postern::honesty {

enum class Prior { old_default, learned };
/// Whose facts are judged: samples of n drawn with replacement, against the population; or the population's
/// records themselves, always the same.
enum class Truth { samples, records };

/// What one posterior of one release says of all facts of its case.
struct Answer {
  /// Why there is none: the name of the error, "time", or "not-yet" where the prior cannot be learned.
  std::string refused;
  double held = 0;  ///< share of the facts that are asked for
  double plain_held = 0;
  double compared = 0;  ///< share of the facts with a valid unbiased interval that the posterior holds
  bool has_plain = false;
  double width = 0;                 ///< median, in units of the fact
  std::vector<double> bins;         ///< share held where count / noise sd < 1, 1-3, > 3; below 0: no fact
  std::vector<std::string> warned;  ///< names
  double seconds = 0;               ///< of CPU
  std::string engine;
};

/// One release of one sample, and what each prior makes of it. The same for the same seed and number.
struct Round {
  std::vector<Answer> answers;  ///< one for each prior asked for
};

struct RunOptions {
  std::vector<Prior> priors = {Prior::old_default, Prior::learned};
  Truth truth = Truth::samples;
  std::uint64_t seed = 1;
  double time_limit = 60;        ///< CPU seconds of one posterior
  std::filesystem::path folder;  ///< for the records
  bool facts = false;            ///< print each fact
};

[[nodiscard]] Round run_round(const HonestCase& one, std::size_t number, const RunOptions& options);

}  // namespace postern::honesty
