#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "postern/core/stop.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/plan.hpp"

namespace postern::assess {

/// Widths of the central 90 % interval of one quantity, over simulated studies.
struct WidthRow {
  enum class Kind { parameter, total };
  std::string label;  ///< P(smoker = yes), number of records
  double prior = 0;   ///< before any data
  Kind kind = Kind::parameter;
  double q25 = 0, median = 0, q75 = 0;  ///< of the posterior, given the noisy release
  double expected = 0;                  ///< their mean, which a few studies of a vague prior may rule
  double without_noise = 0;             ///< median, had the statistics been published as they are
};

/// What a release would be worth, in studies drawn from the prior or at an assumed truth.
struct ExpectedWidth {
  std::vector<WidthRow> rows;  ///< every quantity of the posterior
  std::size_t draws = 0;       ///< simulated studies
  double seconds = 0;          ///< of one of them, its posterior above all
  double outside = 0;          ///< share of the records outside of their columns' range, in the median study
  /// No parameter's interval shrinks to less than four fifths of the prior's; n may.
  [[nodiscard]] bool close_to_prior() const;
  /// Studies so unlike each other, or so unlike what the columns were declared for, that their widths tell of
  /// the prior and not of any study one has in mind.
  [[nodiscard]] bool ruled_by_the_prior() const;
};

/// Seconds since whenever, by the machine's steady clock.
[[nodiscard]] double steady_seconds();

struct WidthOptions {
  std::optional<std::int64_t> n;  ///< required when public; when private: assumed, or drawn from its prior
  std::optional<std::vector<double>> at;  ///< assumed parameters, of parse_truth; else drawn from the prior
  std::size_t draws = 200;                ///< studies, no more than that
  /// No study is begun later than that, but for the first few: the first kFewestStudies always are.
  double seconds = std::numeric_limits<double>::infinity();
  std::uint64_t seed = 1;
  int threads = 0;
  std::function<double()> clock = steady_seconds;  ///< called by one thread at a time
};
inline constexpr std::size_t kFewestStudies = 3;

/// Simulates studies (parameters, records, noise) and looks at the posterior's widths. No data is involved.
/// Same widths for any number of threads, if the time does for the same number of studies. Throws
/// engine_limit where no engine takes so many records.
[[nodiscard]] ExpectedWidth expected_width(const model::Study& study, const model::NoisePlan& plan,
                                           const WidthOptions& options, const Conversation& conversation);

/// Memory that the engine which `infer` takes by itself would need for such a release, at the mean of the
/// prior.
[[nodiscard]] double posterior_bytes(const model::Study& study, const model::NoisePlan& plan,
                                     std::optional<std::int64_t> n);

}  // namespace postern::assess
