#include <cstdlib>

#include "chooser.hpp"
#include "statistic/counted.hpp"
#include "statistic/scores/choice.hpp"

namespace postern::model {
namespace {

/// One record moves every score by one, up or down: two candidates part by 2, and by 4 if it is replaced.
class DistanceRule : public ChoiceRule {
  [[nodiscard]] Rational range(const Statistic& /*statistic*/, Adjacency adjacency) const override {
    return adjacency == Adjacency::add_remove ? 2 : 4;
  }
};

class DistanceScoresKind : public CountedStatistic {
 public:
  [[nodiscard]] std::vector<std::string> columns(const Statistic& statistic) const override {
    return statistic.get<DistanceScores>().columns;
  }
  [[nodiscard]] std::vector<std::uint32_t> shape(const Statistic& statistic,
                                                 const Schema& schema) const override {
    const auto& scores = statistic.get<DistanceScores>();
    for (const std::string& name : scores.columns) {
      if (schema.at(name).levels() != scores.expected.size())
        throw Error(ErrorCode::bad_value, {"a count is expected for every level of every column"});
    }
    return {1};
  }
  [[nodiscard]] std::vector<Int128> from_counts(const Statistic& statistic, const Schema& schema,
                                                std::span<const std::int64_t> counts) const override {
    const auto& scores = statistic.get<DistanceScores>();
    const std::vector<std::uint32_t> sizes = schema.domain(scores.columns).sizes();
    std::vector<Int128> out;
    std::size_t below = counts.size();
    for (const std::uint32_t size : sizes) {
      below /= size;
      std::vector<std::int64_t> margin(size, 0);
      for (std::size_t cell = 0; cell < counts.size(); ++cell) margin[cell / below % size] += counts[cell];
      Int128 distance = 0;
      for (std::size_t l = 0; l < size; ++l) distance += std::llabs(margin[l] - scores.expected[l]);
      out.push_back(distance);
    }
    return out;
  }
  [[nodiscard]] bool is_choice() const override { return true; }
  [[nodiscard]] std::size_t candidates(const Statistic& statistic, const Schema& /*schema*/) const override {
    return statistic.get<DistanceScores>().columns.size();
  }
  [[nodiscard]] std::string candidate(const Statistic& statistic, const Schema& /*schema*/,
                                      std::size_t index) const override {
    return statistic.get<DistanceScores>().columns.at(index);
  }
  [[nodiscard]] const CostRule& cost_rule() const override {
    static const DistanceRule rule;
    return rule;
  }
  [[nodiscard]] std::string text(const Statistic& statistic, const Schema& /*schema*/) const override {
    std::string out;
    for (const std::string& name : statistic.get<DistanceScores>().columns)
      out += (out.empty() ? "the least expected of " : ", ") + name;
    return out;
  }
  [[nodiscard]] std::string unit(const Statistic& /*statistic*/, const Schema& /*schema*/) const override {
    return {};
  }
  [[nodiscard]] bool answers_to(std::string_view name) const override { return name == "distance-scores"; }
  [[nodiscard]] Statistic read(Node& node) const override {
    DistanceScores out{node.texts("columns"), {}};
    for (const Rational& count : node.rationals("expected", 0)) {
      if (count.get_den() != 1 || !count.get_num().fits_slong_p())
        node.refuse(ErrorCode::release_malformed, "expected", {"holds a count that is none"});
      out.expected.push_back(count.get_num().get_si());
    }
    return out;
  }
  [[nodiscard]] JsonValue write(const Statistic& statistic) const override {
    const auto& scores = statistic.get<DistanceScores>();
    std::vector<Rational> expected;
    for (const std::int64_t count : scores.expected) expected.emplace_back(count);
    return json_object({{"columns", json_texts(scores.columns)},
                        {"expected", json_rationals(expected)},
                        {"kind", json_text("distance-scores")}});
  }
};

}  // namespace

const StatisticKind& kind_of(const DistanceScores& /*scores*/) {
  static const DistanceScoresKind kind;
  return kind;
}

}  // namespace postern::model
