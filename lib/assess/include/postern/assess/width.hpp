#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "postern/core/stop.hpp"
#include "postern/model/measurement.hpp"

namespace postern::assess {

/// Widths of the central 90 % interval of one quantity.
struct WidthRow {
  enum class Kind { parameter, total };
  std::string label;         ///< P(smoker = yes), number of records
  double prior = 0;          ///< before any data
  double without_noise = 0;  ///< averaged posterior, had the counts been published as they are
  double expected = 0;       ///< averaged posterior, given the noisy release
  Kind kind = Kind::parameter;
};

/// What a release would be worth, averaged over studies drawn from the prior.
struct ExpectedWidth {
  std::vector<WidthRow> rows;
  std::size_t draws = 0;  ///< simulated studies
  double seconds = 0;     ///< wall clock of one of them, its posterior above all
  /// No parameter's interval shrinks to less than four fifths of the prior's; n may.
  [[nodiscard]] bool close_to_prior() const;
};

struct WidthOptions {
  std::optional<std::int64_t> n;  ///< required when public; when private: assumed, or drawn from its prior
  std::size_t draws = 200;
  /// About how long it may take, judged by the first study: fewer are simulated then, and at least that one.
  double seconds = std::numeric_limits<double>::infinity();
  std::size_t most_rows = 30;  ///< cells beyond these are not looked at
  std::uint64_t seed = 1;
  int threads = 0;
};

/// Simulates studies (parameters, records, noise) and averages the posterior's widths. No data is involved.
/// Same widths for any number of threads. Throws engine_limit where no engine takes so many records.
[[nodiscard]] ExpectedWidth expected_width(const model::Study& study, const model::NoisePlan& plan,
                                           const WidthOptions& options, const Conversation& conversation);

/// Memory that the engine which `infer` takes by itself would need for such a release, at the mean of the
/// prior.
[[nodiscard]] double posterior_bytes(const model::Study& study, const model::NoisePlan& plan,
                                     std::optional<std::int64_t> n);

}  // namespace postern::assess
