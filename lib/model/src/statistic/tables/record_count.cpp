#include "postern/core/mutant.hpp"
#include "postern/model/statistic/table.hpp"

#include "statistic/counted.hpp"

namespace postern::model {
namespace {

/// A replaced record leaves their number as it is; one that is added or removed changes it by one.
class RecordCountsRule : public CostRule {
 public:
  [[nodiscard]] Rational worst(std::span<const WeighedStatistic> statistics, const Schema& /*schema*/,
                               const PrivacyPolicy& policy) const override {
    Rational total = 0;
    if (policy.adjacency == Adjacency::replace_one || mutant(25)) return total;
    for (const WeighedStatistic& one : statistics) total += one.weight;
    return total;
  }
};

class RecordCountKind : public CountedStatistic {
 public:
  [[nodiscard]] std::vector<std::string> columns(const Statistic& /*statistic*/) const override { return {}; }
  [[nodiscard]] std::vector<std::uint32_t> shape(const Statistic& /*statistic*/,
                                                 const Schema& /*schema*/) const override {
    return {1};
  }
  [[nodiscard]] std::vector<Int128> from_counts(const Statistic& /*statistic*/, const Schema& /*schema*/,
                                                std::span<const std::int64_t> counts) const override {
    return {counts.front()};
  }
  [[nodiscard]] const CostRule& cost_rule() const override {
    static const RecordCountsRule rule;
    return rule;
  }
  [[nodiscard]] std::string text(const Statistic& /*statistic*/, const Schema& /*schema*/) const override {
    return "number of records";
  }
  [[nodiscard]] std::string unit(const Statistic& /*statistic*/, const Schema& /*schema*/) const override {
    return "records";
  }
  [[nodiscard]] std::string total_text() const override { return "number of records"; }
  [[nodiscard]] bool answers_to(std::string_view name) const override { return name == "record-count"; }
  [[nodiscard]] Statistic read(Node& /*node*/) const override { return RecordCount{}; }
  [[nodiscard]] JsonValue write(const Statistic& /*statistic*/) const override {
    return json_object({{"kind", json_text("record-count")}});
  }
};

}  // namespace

const StatisticKind& kind_of(const RecordCount& /*count*/) {
  static const RecordCountKind kind;
  return kind;
}

}  // namespace postern::model
