#include "postern/model/statistic/table.hpp"

#include <algorithm>
#include <set>

#include "postern/core/mutant.hpp"

#include "statistic/counted.hpp"

namespace postern::model {
namespace {

constexpr std::size_t kMostColumns = 16;

/// Planted bug: tables that lie within another are taken for free, since they follow from its exact counts.
bool seems_free(const WeighedStatistic& one, std::span<const WeighedStatistic> all) {
  const std::vector<std::string>& own = one.statistic->get<Table>().columns;
  return std::any_of(all.begin(), all.end(), [&](const WeighedStatistic& other) {
    const std::vector<std::string>& columns = other.statistic->get<Table>().columns;
    return columns.size() > own.size() && std::all_of(own.begin(), own.end(), [&](const std::string& name) {
             return std::find(columns.begin(), columns.end(), name) != columns.end();
           });
  });
}

/// A record lies in one cell of every table, and a replaced one leaves a cell and enters another wherever
/// there are two (measurement.md).
class TablesRule : public CostRule {
 public:
  [[nodiscard]] Rational worst(std::span<const WeighedStatistic> statistics, const Schema& schema,
                               const PrivacyPolicy& policy) const override {
    const bool add_remove = policy.adjacency == Adjacency::add_remove || mutant(4);
    Rational total = 0;
    Rational dearest = 0;
    for (const WeighedStatistic& one : statistics) {
      if (mutant(86) && seems_free(one, statistics)) continue;
      const std::size_t cells = schema.domain(one.statistic->get<Table>().columns).cells();
      const Rational worst = add_remove ? one.weight : cells > 1 ? Rational(2 * one.weight) : Rational(0);
      total += worst;
      dearest = std::max(dearest, worst);
    }
    return mutant(72) ? dearest : total;  // as if every record were in one table only
  }
};

class TableKind : public CountedStatistic {
 public:
  [[nodiscard]] std::vector<std::string> columns(const Statistic& statistic) const override {
    return statistic.get<Table>().columns;
  }
  [[nodiscard]] std::vector<std::uint32_t> shape(const Statistic& statistic,
                                                 const Schema& schema) const override {
    return schema.domain(statistic.get<Table>().columns).sizes();
  }
  [[nodiscard]] std::vector<Int128> from_counts(const Statistic& /*statistic*/, const Schema& /*schema*/,
                                                std::span<const std::int64_t> counts) const override {
    return {counts.begin(), counts.end()};
  }
  [[nodiscard]] const CostRule& cost_rule() const override {
    static const TablesRule rule;
    return rule;
  }
  [[nodiscard]] std::string text(const Statistic& statistic, const Schema& /*schema*/) const override {
    std::string out;
    for (const std::string& column : statistic.get<Table>().columns)
      out += (out.empty() ? "table of " : " x ") + column;
    return out;
  }
  [[nodiscard]] std::string unit(const Statistic& /*statistic*/, const Schema& /*schema*/) const override {
    return "records";
  }
  [[nodiscard]] std::string coordinate_text(const Statistic& statistic, const Schema& schema,
                                            std::size_t coordinate) const override {
    const std::vector<std::string>& columns = statistic.get<Table>().columns;
    const auto levels = schema.domain(columns).levels_of(coordinate);
    std::string text = "count of ";
    for (std::size_t i = 0; i < columns.size(); ++i)
      text += (i == 0 ? "" : ", ") + columns[i] + " = " + schema.at(columns[i]).label(levels[i]);
    return text;
  }
  [[nodiscard]] std::string total_text() const override { return "sum of all cells"; }
  [[nodiscard]] std::size_t cells(const Statistic& statistic, const Schema& schema) const override {
    return schema.domain(statistic.get<Table>().columns).cells();
  }
  [[nodiscard]] bool answers_to(std::string_view name) const override { return name == "table"; }
  [[nodiscard]] Statistic read(Node& node) const override {
    Table table{node.texts("columns")};
    const std::set<std::string> distinct(table.columns.begin(), table.columns.end());
    if (distinct.empty() || distinct.size() != table.columns.size() || distinct.size() > kMostColumns)
      node.refuse(ErrorCode::release_inconsistent, "columns", {"must name one to sixteen different columns"});
    return table;
  }
  [[nodiscard]] JsonValue write(const Statistic& statistic) const override {
    return json_object(
        {{"columns", json_texts(statistic.get<Table>().columns)}, {"kind", json_text("table")}});
  }
};

}  // namespace

const StatisticKind& kind_of(const Table& /*table*/) {
  static const TableKind kind;
  return kind;
}

}  // namespace postern::model
