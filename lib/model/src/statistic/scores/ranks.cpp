#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"
#include "postern/model/statistic/rank_scores.hpp"

#include "statistic/counted.hpp"
#include "statistic/scores/choice.hpp"

namespace postern::model {
namespace {

/// The argument is in ranks.md.
class RankScoresRule : public ChoiceRule {
  [[nodiscard]] Rational range(const Statistic& statistic, Adjacency adjacency) const override {
    const Rational& at = statistic.get<RankScores>().at;
    const Integer a = at.get_num();
    const Integer b = at.get_den();
    const Integer rest = b - a;
    if (mutant(30)) return Rational(b);
    return adjacency == Adjacency::replace_one ? Rational(2 * b) : Rational(2 * std::max(a, rest));
  }
};

class RankScoresKind : public CountedStatistic {
 public:
  [[nodiscard]] std::vector<std::string> columns(const Statistic& statistic) const override {
    return {statistic.get<RankScores>().column};
  }
  [[nodiscard]] std::vector<std::uint32_t> shape(const Statistic& statistic,
                                                 const Schema& schema) const override {
    const auto& scores = statistic.get<RankScores>();
    const Rational& at = scores.at;
    if (std::holds_alternative<Categories>(schema.at(scores.column).values) || at <= 0 || at >= 1 ||
        at.get_den() > 1'000'000) {
      throw Error(ErrorCode::bad_value,
                  {"a quantile between 0 and 1, with at most 6 decimals, is of a column of numbers, and '",
                   from_study(scores.column), "' at ", from_study(to_fraction(at)), " is not"});
    }
    return {1};
  }
  [[nodiscard]] std::vector<Int128> from_counts(const Statistic& statistic, const Schema& /*schema*/,
                                                std::span<const std::int64_t> counts) const override {
    const std::vector<std::int64_t> ranked = rank_scores(statistic.get<RankScores>(), counts);
    return {ranked.begin(), ranked.end()};
  }
  [[nodiscard]] bool is_choice() const override { return true; }
  [[nodiscard]] std::size_t candidates(const Statistic& statistic, const Schema& schema) const override {
    return schema.at(statistic.get<RankScores>().column).levels();
  }
  [[nodiscard]] std::string candidate(const Statistic& statistic, const Schema& schema,
                                      std::size_t index) const override {
    return schema.at(statistic.get<RankScores>().column).label(static_cast<std::uint32_t>(index));
  }
  [[nodiscard]] const CostRule& cost_rule() const override {
    static const RankScoresRule rule;
    return rule;
  }
  [[nodiscard]] std::string text(const Statistic& statistic, const Schema& /*schema*/) const override {
    const auto& scores = statistic.get<RankScores>();
    return "quantile " + to_decimal(scores.at) + " of " + scores.column;
  }
  [[nodiscard]] std::string unit(const Statistic& /*statistic*/, const Schema& /*schema*/) const override {
    return {};
  }
  [[nodiscard]] bool answers_to(std::string_view name) const override { return name == "rank-scores"; }
  [[nodiscard]] Statistic read(Node& node) const override {
    return RankScores{node.text("column"), node.rational("at")};
  }
  [[nodiscard]] JsonValue write(const Statistic& statistic) const override {
    const auto& scores = statistic.get<RankScores>();
    return json_object({{"at", json_rational(scores.at)},
                        {"column", json_text(scores.column)},
                        {"kind", json_text("rank-scores")}});
  }
};

}  // namespace

const StatisticKind& kind_of(const RankScores& /*scores*/) {
  static const RankScoresKind kind;
  return kind;
}

std::vector<std::int64_t> rank_scores(const RankScores& scores, std::span<const std::int64_t> counts) {
  const auto a = static_cast<Int128>(scores.at.get_num().get_si());
  const auto b = static_cast<Int128>(scores.at.get_den().get_si());
  Int128 n = 0;
  for (const std::int64_t count : counts) n += count;
  std::vector<std::int64_t> out;
  out.reserve(counts.size());
  Int128 below = 0;
  constexpr Int128 kFloor = -(Int128{1} << 62);
  for (const std::int64_t count : counts) {
    const Int128 short_of = a * n - b * (below + count);
    const Int128 past = b * below - a * n;
    out.push_back(static_cast<std::int64_t>(std::max(kFloor, -std::max({Int128{0}, short_of, past}))));
    below += count;
  }
  return out;
}

}  // namespace postern::model
