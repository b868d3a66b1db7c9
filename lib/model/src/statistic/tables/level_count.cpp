#include <algorithm>
#include <map>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"
#include "postern/model/statistic/table.hpp"

#include "statistic/counted.hpp"

namespace postern::model {
namespace {

using LevelWeights = std::map<std::uint32_t, Rational>;

/// Largest sum of the weights of two different levels of one column: what replacing its level can cost.
Rational two_largest(const LevelWeights& weights, std::uint32_t levels) {
  if (levels < 2) return 0;
  Rational first = 0;
  Rational second = 0;
  for (const auto& [level, weight] : weights) {
    if (weight > first) {
      second = first;
      first = weight;
    } else if (weight > second) {
      second = weight;
    }
  }
  return first + second;
}

Rational largest(const LevelWeights& weights) {
  Rational most = 0;
  for (const auto& [level, weight] : weights) most = std::max(most, weight);
  return most;
}

/// A record is at one level of a column (measurement.md).
class LevelCountsRule : public CostRule {
 public:
  [[nodiscard]] Rational worst(std::span<const WeighedStatistic> statistics, const Schema& schema,
                               const PrivacyPolicy& policy) const override {
    std::map<std::string, LevelWeights> by_column;
    for (const WeighedStatistic& one : statistics) {
      const auto& count = one.statistic->get<LevelCount>();
      by_column[count.column][count.level] += one.weight;
    }
    const bool add_remove = policy.adjacency == Adjacency::add_remove || mutant(4);
    Rational total = 0;
    for (const auto& [column, weights] : by_column)
      total += add_remove ? largest(weights) : two_largest(weights, schema.at(column).levels());
    return total;
  }
};

class LevelCountKind : public CountedStatistic {
 public:
  [[nodiscard]] std::vector<std::string> columns(const Statistic& statistic) const override {
    return {statistic.get<LevelCount>().column};
  }
  [[nodiscard]] std::vector<std::uint32_t> shape(const Statistic& statistic,
                                                 const Schema& schema) const override {
    const auto& count = statistic.get<LevelCount>();
    if (count.level >= schema.at(count.column).levels()) {
      throw Error(ErrorCode::bad_value,
                  {"a level count names a level that column '", from_study(count.column), "' does not have"});
    }
    return {1};
  }
  [[nodiscard]] std::vector<Int128> from_counts(const Statistic& statistic, const Schema& /*schema*/,
                                                std::span<const std::int64_t> counts) const override {
    return {counts[statistic.get<LevelCount>().level]};
  }
  [[nodiscard]] const CostRule& cost_rule() const override {
    static const LevelCountsRule rule;
    return rule;
  }
  [[nodiscard]] std::string text(const Statistic& statistic, const Schema& schema) const override {
    const auto& count = statistic.get<LevelCount>();
    return "count of " + count.column + " = " + schema.at(count.column).label(count.level);
  }
  [[nodiscard]] std::string unit(const Statistic& /*statistic*/, const Schema& /*schema*/) const override {
    return "records";
  }
  [[nodiscard]] std::size_t cells(const Statistic& statistic, const Schema& schema) const override {
    return schema.at(statistic.get<LevelCount>().column).levels();
  }
  [[nodiscard]] bool answers_to(std::string_view name) const override { return name == "level-count"; }
  [[nodiscard]] Statistic read(Node& node) const override {
    return LevelCount{node.text("column"),
                      static_cast<std::uint32_t>(node.integer("level", 0, kMaxLevels - 1))};
  }
  [[nodiscard]] JsonValue write(const Statistic& statistic) const override {
    const auto& count = statistic.get<LevelCount>();
    return json_object({{"column", json_text(count.column)},
                        {"kind", json_text("level-count")},
                        {"level", json_integer(count.level)}});
  }
};

}  // namespace

const StatisticKind& kind_of(const LevelCount& /*count*/) {
  static const LevelCountKind kind;
  return kind;
}

}  // namespace postern::model
