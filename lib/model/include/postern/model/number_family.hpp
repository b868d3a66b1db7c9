#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/number_law.hpp"
#include "postern/model/transform.hpp"

namespace postern::model {

/// What a number in a study must satisfy.
enum class NumberRule { any, positive, whole };
struct NamedNumber {
  std::string_view name;
  NumberRule rule = NumberRule::positive;
};

/// One of the conjugate priors of which a learned one is a mixture.
struct PriorTerm {
  double log_share = 0;
  Hyper prior{};
};

/// What a column says of the scale of its records: t at the ends of its range.
struct StatisticRange {
  double lo = 0;
  double hi = 0;
};

/// A family of numbers with a conjugate prior, as studies, tables and messages speak of it. A new family is
/// one file in lib/model/src/kinds/number/families and one line in its families.hpp and families.cpp.
struct NumberFamily {
  std::string_view name;                   ///< "poisson", as studies write it
  std::vector<NamedNumber> known;          ///< parameters that the study states
  std::string_view prior;                  ///< "gamma"
  std::vector<NamedNumber> prior_numbers;  ///< "shape", "rate"
  std::vector<long> default_prior;
  std::vector<std::string_view> parameters;         ///< CmdStan-legal names of theta: "lambda"
  std::vector<std::string_view> labels;             ///< what goes before the column's name: "rate of"
  bool whole = false;                               ///< the records are whole numbers
  bool rounds = false;                              ///< an integer column may hold its numbers, rounded
  bool squares = false;                             ///< t^2 is summed too; the law is a SquaresLaw
  bool bounded = false;                             ///< the column holds every value: nothing is clamped
  bool non_negative = true;                         ///< the column may not go below 0
  std::optional<std::size_t> least = std::nullopt;  ///< which known parameter no number lies below
  /// How many records the prior is worth: a prior of as many as there are data has as much to say.
  Rational (*prior_records)(std::span<const Rational> known, std::span<const Rational> prior);
  /// The learned prior: at most 40 conjugate ones, whose scales are spread over what the range allows, times
  /// `scale`. A family of squares gives them of one shape, in units of half the range from its middle.
  std::vector<PriorTerm> (*learned)(std::span<const Rational> known, StatisticRange range, double scale);
  /// The conjugate prior from which truths are drawn where the prior is learned.
  Hyper (*planning)(std::span<const Rational> known, StatisticRange range);
  Transform (*transform)(std::span<const Rational> known);
  std::shared_ptr<const NumberLaw> (*law)(std::span<const Rational> known);

  /// How the whole numbers of an integer column come about.
  [[nodiscard]] Wholes wholes() const { return whole ? Wholes::drawn : Wholes::rounded; }
  /// "rate of visits"
  [[nodiscard]] std::string label(std::size_t parameter, std::string_view column) const {
    return std::string(labels[parameter]).append(1, ' ').append(column);
  }
};

/// A law and its prior.
struct LawWithPrior {
  std::shared_ptr<const NumberLaw> law;
  Hyper prior{};
};
struct EncodedNumber;
/// The range of t of a column.
[[nodiscard]] StatisticRange statistic_range(const EncodedNumber& number);
/// The family's law with its learned prior (docs/families/index.md): a mixture of conjugate priors, so that
/// it is itself conjugate. The law of its scale is moved by the factor `scale`.
[[nodiscard]] LawWithPrior learned_prior(const NumberFamily& family, std::span<const Rational> known,
                                         StatisticRange range, double scale = 1);

/// All families, in the order in which documents list them.
[[nodiscard]] std::span<const NumberFamily> number_families();
/// The family of that name, or nothing.
[[nodiscard]] const NumberFamily* find_number_family(std::string_view name);

}  // namespace postern::model
