#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "postern/core/int128.hpp"
#include "postern/core/json_value.hpp"
#include "postern/core/kinded.hpp"
#include "postern/core/rational.hpp"
#include "postern/model/node.hpp"
#include "postern/model/policy.hpp"
#include "postern/model/schema.hpp"

namespace postern::model {

class StatisticKind;
class CostRule;

/// An integer statistic of the encoded records, or scores of candidates made from one.
using Statistic = Kinded<StatisticKind>;

/// The definition of a statistic at work: what records add up to, one after the other.
class Tally {
 public:
  Tally() = default;
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;
  virtual ~Tally() = default;
  /// `count` records at these levels, one a column of the statistic, in its order.
  virtual void add(std::span<const std::uint32_t> levels, std::int64_t count) = 0;
  [[nodiscard]] virtual std::vector<Int128> values() const = 0;
};

/// What one record may add to a coordinate.
struct TermRange {
  double lo = 0;
  double hi = 1;
};

/// All that is to be known of a sort of statistic: what it is of one dataset, how large, in what words, at
/// what cost. Everybody else (measuring, simulating, verifying, conditioning) takes it from here.
class StatisticKind {
 public:
  StatisticKind() = default;
  StatisticKind(const StatisticKind&) = delete;
  StatisticKind& operator=(const StatisticKind&) = delete;
  virtual ~StatisticKind() = default;

  /// The columns whose levels it is made from.
  [[nodiscard]] virtual std::vector<std::string> columns(const Statistic& statistic) const = 0;
  /// How many coordinates, along each axis. Refuses columns, levels and numbers that cannot be.
  [[nodiscard]] virtual std::vector<std::uint32_t> shape(const Statistic& statistic,
                                                         const Schema& schema) const = 0;
  /// The definition.
  [[nodiscard]] virtual std::unique_ptr<Tally> tally(const Statistic& statistic,
                                                     const Schema& schema) const = 0;
  /// Is it a function of how many records lie in each cell of its columns' table?
  [[nodiscard]] virtual bool of_counts() const { return false; }
  /// That function, of row-major counts. @pre of_counts()
  [[nodiscard]] virtual std::vector<Int128> from_counts(const Statistic& statistic, const Schema& schema,
                                                        std::span<const std::int64_t> counts) const;

  /// Scores: one candidate is drawn by the exponential mechanism, its index is published, the scores are not.
  [[nodiscard]] virtual bool is_choice() const { return false; }
  [[nodiscard]] virtual std::size_t candidates(const Statistic& statistic, const Schema& schema) const;
  /// What the candidate of an index is: "38.5". @pre index < candidates
  [[nodiscard]] virtual std::string candidate(const Statistic& statistic, const Schema& schema,
                                              std::size_t index) const;

  /// The rule by which it is paid for, together with all others of the same rule.
  [[nodiscard]] virtual const CostRule& cost_rule() const = 0;
  /// How many of its sort a document may hold, where cost or memory grow fast with them.
  [[nodiscard]] virtual std::size_t most_in_document() const {
    return std::numeric_limits<std::size_t>::max();
  }

  /// "sum of squares of log income". Names are as the study has them; quote them before they are shown.
  [[nodiscard]] virtual std::string text(const Statistic& statistic, const Schema& schema) const = 0;
  /// What the integers count: "records", or "steps of 0.01". Empty where a candidate is chosen.
  [[nodiscard]] virtual std::string unit(const Statistic& statistic, const Schema& schema) const = 0;

  // What its released values are held against.

  /// What one record may add to each coordinate: 0 or 1, unless it is a sum.
  [[nodiscard]] virtual TermRange record_range(const Statistic& statistic, const Schema& schema) const;
  /// One coordinate: "count of smoker = yes, age = 18-29".
  [[nodiscard]] virtual std::string coordinate_text(const Statistic& statistic, const Schema& schema,
                                                    std::size_t coordinate) const;
  /// What the sum of all coordinates is called, where it is the number of records; empty where it is not.
  [[nodiscard]] virtual std::string total_text() const { return {}; }
  /// The cells among which records are counted, also where only one of them is; 0 for what is no count.
  [[nodiscard]] virtual std::size_t cells(const Statistic& statistic, const Schema& schema) const;
  /// What every record adds to the first coordinates of this and another statistic together, where that is
  /// the same for all records.
  [[nodiscard]] virtual std::optional<double> together(const Statistic& statistic, const Statistic& other,
                                                       const Schema& schema) const;

  /// Is it the one that documents call `name`?
  [[nodiscard]] virtual bool answers_to(std::string_view name) const = 0;
  [[nodiscard]] virtual Statistic read(Node& node) const = 0;
  [[nodiscard]] virtual JsonValue write(const Statistic& statistic) const = 0;
};

/// A statistic and what a change of one coordinate by D costs: weight |D| (pure) or weight D^2 (zCDP). For a
/// choice: the scale of its scores.
struct WeighedStatistic {
  const Statistic* statistic = nullptr;
  Rational weight;
};

/// What one record can cost at the most in all the statistics of one rule together. The proofs are beside the
/// rules.
class CostRule {
 public:
  CostRule() = default;
  CostRule(const CostRule&) = delete;
  CostRule& operator=(const CostRule&) = delete;
  virtual ~CostRule() = default;
  [[nodiscard]] virtual Rational worst(std::span<const WeighedStatistic> statistics, const Schema& schema,
                                       const PrivacyPolicy& policy) const = 0;
  /// "exact" where `worst` is attained by some record, "bound" where it may lie above what any attains.
  /// Nothing of rules that have one way only.
  [[nodiscard]] virtual std::string_view method(std::span<const WeighedStatistic> statistics,
                                                const Schema& schema, const PrivacyPolicy& policy) const;
};

/// All sorts of statistics: the registry.
[[nodiscard]] std::span<const StatisticKind* const> statistic_kinds();
/// Reads the statistic whose `kind` the node names. Refuses others.
[[nodiscard]] Statistic read_statistic(Node& node);

/// The number of coordinates: the product of its shape.
[[nodiscard]] std::size_t statistic_size(const Statistic& statistic, const Schema& schema);

}  // namespace postern::model
