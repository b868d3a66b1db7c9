#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "postern/assess/width.hpp"
#include "postern/core/stop.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/plan.hpp"

namespace postern::assess {

struct OutlookOptions {
  std::optional<std::int64_t> n;  ///< required when public; when private: assumed, or drawn from its prior
  std::optional<std::int64_t> simulations;  ///< studies, at most 200 unless said
  std::optional<double> seconds;            ///< that begin no later; ten unless studies or seconds are said
  std::optional<std::string> at;            ///< an assumed truth in words, see truth.hpp
  std::uint64_t seed = 1;
  int threads = 0;
};

/// What a release would be worth and what its posterior would take.
struct Outlook {
  double bytes = 0;  ///< of memory, for the posterior
  /// Draws a chain that `infer` can hold, where it refuses as many as it takes unasked.
  std::optional<std::size_t> most_draws = {};
  ExpectedWidth width;  ///< without rows when the posterior is past what the engines take
};

/// Looks ahead by simulation; nothing when n is public and not given, or the study is of quantiles. Throws
/// bad_option when n is more than the study allows, or `at` is no truth of it.
[[nodiscard]] std::optional<Outlook> look_ahead(const model::Study& study, const model::NoisePlan& plan,
                                                const OutlookOptions& options,
                                                const Conversation& conversation);

}  // namespace postern::assess
