#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/statistic.hpp"
#include "postern/model/study.hpp"

namespace postern::model {

/// Laws of noise that other tools add. Scales are as they state them: b of p(x) ~ exp(-|x| / b), sigma of
/// p(x) ~ exp(-x^2 / (2 sigma^2)), on the integers or on the real line.
enum class ForeignLaw { discrete_laplace, discrete_gaussian, laplace, gaussian };
[[nodiscard]] std::string_view to_text(ForeignLaw law);  // "discrete-laplace", "gaussian", ...
[[nodiscard]] std::optional<ForeignLaw> parse_foreign_law(std::string_view text);
[[nodiscard]] inline bool is_discrete(ForeignLaw law) {
  return law == ForeignLaw::discrete_laplace || law == ForeignLaw::discrete_gaussian;
}

/// What became of the noisy values before they were published, in this order.
struct Publishing {
  std::optional<Rational> round_to;   ///< to the nearest multiple, halves upwards
  std::optional<Rational> at_least;   ///< clipped from below
  std::optional<Rational> at_most;    ///< and from above
  std::optional<Rational> threshold;  ///< a value below it was held back
};

/// One statistic as another tool published it, in the units of its column.
struct ForeignBlock {
  Statistic statistic;
  ForeignLaw law = ForeignLaw::laplace;
  Rational scale;
  Publishing published;
  std::vector<std::optional<Rational>> values;  ///< row-major; none: held back by the threshold
};

/// A release that was made elsewhere, as somebody declares it. Nothing of it can be verified here: neither
/// that such noise was added, nor what the release cost.
struct Foreign {
  std::string made_by;                    ///< in words: "OpenDP 0.16.0, then_laplace"
  std::optional<std::string> record_set;  ///< whose records; without it, it is combined with no other release
  std::optional<std::int64_t> n;          ///< the number of records, where it is known
  std::vector<ForeignBlock> blocks;
};

/// Refuses what no tool can have published. Throws bad_value, missing_key.
void check_foreign(const Foreign& foreign, const Study& study);

}  // namespace postern::model
