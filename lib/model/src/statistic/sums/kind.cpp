#include <algorithm>
#include <sstream>

#include "postern/core/error.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/model/statistic/sums.hpp"

#include "statistic/counted.hpp"
#include "statistic/sums/rule.hpp"

namespace postern::model {
namespace {

JsonValue transform_json(const Transform& transform) {
  if (transform.kind == Transform::Kind::identity) return json_text("identity");
  if (transform.kind == Transform::Kind::log) return json_text("log");
  return json_object({{"power", json_rational(transform.exponent)}});
}

Transform read_transform(Node& node) {
  if (node.is_text("of")) {
    const std::string word = node.text("of");
    if (word == "identity") return {};
    if (word == "log") return {Transform::Kind::log, 1};
    node.refuse(ErrorCode::release_malformed, "of",
                {"must be \"identity\", \"log\" or {\"power\": exponent}"});
  }
  const std::unique_ptr<Node> power = node.inner("of");
  Transform out{Transform::Kind::power, power->rational("power")};
  if (sgn(out.exponent) <= 0) node.refuse(ErrorCode::release_inconsistent, "of", {"must be positive"});
  power->finish();
  return out;
}

/// Without a transform a level's k is its number from the first one on: no list of a million terms is needed.
class PlainSumTally : public Tally {
 public:
  PlainSumTally(const LevelSum& sum, const Schema& schema)
      : sum_(sum), ends_(level_ends(schema.at(sum.column))) {}
  void add(std::span<const std::uint32_t> levels, std::int64_t count) override {
    const std::int64_t k = ends_.least + levels[0];
    const std::int64_t term = sum_.mirrored ? ends_.most - k : sum_.power == 2 ? k * k : k;
    total_ += Int128{count} * Int128{term};
  }
  [[nodiscard]] std::vector<Int128> values() const override { return {total_}; }

 private:
  LevelSum sum_;
  LevelEnds ends_;
  Int128 total_ = 0;
};

class LevelSumKind : public CountedStatistic {
 public:
  [[nodiscard]] std::vector<std::string> columns(const Statistic& statistic) const override {
    return {statistic.get<LevelSum>().column};
  }
  [[nodiscard]] std::vector<std::uint32_t> shape(const Statistic& statistic,
                                                 const Schema& schema) const override {
    const auto& sum = statistic.get<LevelSum>();
    if (sum.power < 0 || sum.power > 2 || (sum.mirrored && sum.power != 1))
      throw Error(ErrorCode::bad_value, {"a level sum is of numbers or of their squares"});
    static_cast<void>(level_terms(sum, schema));  // refuses columns that cannot be summed
    return {1};
  }
  [[nodiscard]] std::vector<Int128> from_counts(const Statistic& statistic, const Schema& schema,
                                                std::span<const std::int64_t> counts) const override {
    const std::vector<std::int64_t> terms = level_terms(statistic.get<LevelSum>(), schema);
    Int128 sum = 0;
    for (std::size_t level = 0; level < counts.size(); ++level)
      sum += Int128{counts[level]} * Int128{terms[level]};
    return {sum};
  }
  [[nodiscard]] std::unique_ptr<Tally> tally(const Statistic& statistic,
                                             const Schema& schema) const override {
    const auto& sum = statistic.get<LevelSum>();
    if (sum.transform.kind == Transform::Kind::identity && sum.power > 0)
      return std::make_unique<PlainSumTally>(sum, schema);
    return CountedStatistic::tally(statistic, schema);
  }
  [[nodiscard]] const CostRule& cost_rule() const override { return sums_rule(); }
  /// Each is looked at level by level.
  [[nodiscard]] std::size_t most_in_document() const override { return 64; }

  [[nodiscard]] std::string text(const Statistic& statistic, const Schema& /*schema*/) const override {
    const auto& sum = statistic.get<LevelSum>();
    if (sum.power == 0) return "number of records inside of " + sum.column;
    std::string term = sum.column;
    if (sum.transform.kind == Transform::Kind::log) term.insert(0, "log ");
    if (sum.transform.kind == Transform::Kind::power) term += "^" + to_decimal(sum.transform.exponent);
    if (sum.mirrored) return "sum of largest - " + term;
    return (sum.power == 2 ? "sum of squares of " : "sum of ") + term;
  }
  [[nodiscard]] std::string unit(const Statistic& statistic, const Schema& schema) const override {
    const auto& sum = statistic.get<LevelSum>();
    if (sum.power == 0) return "records";
    const Column& column = schema.at(sum.column);
    if (sum.transform.kind == Transform::Kind::identity) {
      const Rational grid = grid_of(column);
      return steps_of(sum.power == 2 ? Rational(grid * grid) : grid);
    }
    const double unit = level_values(column, sum.transform).unit;
    std::ostringstream text;
    text.precision(3);
    text << "steps of " << (sum.power == 2 ? unit * unit : unit);
    return text.str();
  }

  [[nodiscard]] TermRange record_range(const Statistic& statistic, const Schema& schema) const override {
    const std::vector<std::int64_t> terms = level_terms(statistic.get<LevelSum>(), schema);
    const auto [least, most] = std::minmax_element(terms.begin(), terms.end());
    return {static_cast<double>(*least), static_cast<double>(*most)};
  }
  /// Every record adds the largest k to a sum and its mirrored sum together.
  [[nodiscard]] std::optional<double> together(const Statistic& statistic, const Statistic& other,
                                               const Schema& schema) const override {
    const auto& sum = statistic.get<LevelSum>();
    const auto* mirrored = other.as<LevelSum>();
    if (mirrored == nullptr || sum.power != 1 || mirrored->power != 1 || sum.mirrored ||
        !mirrored->mirrored || sum.column != mirrored->column)
      return std::nullopt;
    return record_range(statistic, schema).hi;
  }

  [[nodiscard]] bool answers_to(std::string_view name) const override {
    return name == "sum" || name == "mirrored-sum" || name == "inside-count";
  }
  [[nodiscard]] Statistic read(Node& node) const override {
    const std::string name = node.text("kind");
    LevelSum out{node.text("column"), read_transform(node)};
    out.power = name == "inside-count" ? 0 : static_cast<int>(node.integer("power", 1, 2));
    out.mirrored = name == "mirrored-sum";
    return out;
  }
  [[nodiscard]] JsonValue write(const Statistic& statistic) const override {
    const auto& sum = statistic.get<LevelSum>();
    if (sum.power == 0) {
      return json_object({{"column", json_text(sum.column)},
                          {"kind", json_text("inside-count")},
                          {"of", transform_json(sum.transform)}});
    }
    return json_object({{"column", json_text(sum.column)},
                        {"kind", json_text(sum.mirrored ? "mirrored-sum" : "sum")},
                        {"of", transform_json(sum.transform)},
                        {"power", json_integer(sum.power)}});
  }
};

}  // namespace

const StatisticKind& kind_of(const LevelSum& /*sum*/) {
  static const LevelSumKind kind;
  return kind;
}

}  // namespace postern::model
