#include <algorithm>
#include <optional>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"
#include "postern/model/statistic/score_table.hpp"

#include "kinds/checks.hpp"
#include "statistic/counted.hpp"
#include "statistic/scores/choice.hpp"

namespace postern::model {
namespace {

std::size_t levels_of(const ScoreTable& table) { return table.scores.size() / table.candidates.size(); }

/// max - min over the candidates of the score at `x`, less that at `less` where it is a level.
std::int64_t spread(const ScoreTable& table, std::size_t x, std::optional<std::size_t> less) {
  const std::size_t levels = levels_of(table);
  std::int64_t lo = INT64_MAX;
  std::int64_t hi = INT64_MIN;
  for (std::size_t row = 0; row < table.scores.size(); row += levels) {
    const std::int64_t score = table.scores[row + x] - (less ? table.scores[row + *less] : 0);
    lo = std::min(lo, score);
    hi = std::max(hi, score);
  }
  return hi - lo;
}

/// The argument is in table.md.
class ScoreTableRule : public ChoiceRule {
  [[nodiscard]] Rational range(const Statistic& statistic, Adjacency adjacency) const override {
    return Rational(score_table_range(statistic.get<ScoreTable>(), adjacency));
  }
};

class ScoreTableKind : public CountedStatistic {
 public:
  [[nodiscard]] std::vector<std::string> columns(const Statistic& statistic) const override {
    return statistic.get<ScoreTable>().columns;
  }
  [[nodiscard]] std::vector<std::uint32_t> shape(const Statistic& statistic,
                                                 const Schema& schema) const override {
    const auto& table = statistic.get<ScoreTable>();
    const std::string name = joined(table.columns, ", ");
    const std::size_t cells = table.columns.empty() ? 0 : schema.domain(table.columns).cells();
    if (table.candidates.empty() || cells == 0 || table.scores.size() != table.candidates.size() * cells)
      throw Error(ErrorCode::bad_value,
                  {"a table of scores has one for each candidate and level of '", from_study(name), "'"});
    if (score_table_range(table, Adjacency::replace_one) == 0)
      throw Error(ErrorCode::bad_value,
                  {"these scores tell no level of '", from_study(name),
                   "' from another: whichever candidate is chosen, nothing is learnt from it"});
    return {1};
  }
  [[nodiscard]] std::vector<Int128> from_counts(const Statistic& statistic, const Schema& /*schema*/,
                                                std::span<const std::int64_t> counts) const override {
    const auto& table = statistic.get<ScoreTable>();
    std::vector<Int128> out(table.candidates.size(), 0);
    for (std::size_t z = 0; z < out.size(); ++z) {
      for (std::size_t x = 0; x < counts.size(); ++x)
        out[z] += static_cast<Int128>(counts[x]) * table.scores[z * counts.size() + x];
    }
    return out;
  }
  [[nodiscard]] bool is_choice() const override { return true; }
  [[nodiscard]] std::size_t candidates(const Statistic& statistic, const Schema& /*schema*/) const override {
    return statistic.get<ScoreTable>().candidates.size();
  }
  [[nodiscard]] std::string candidate(const Statistic& statistic, const Schema& /*schema*/,
                                      std::size_t index) const override {
    return statistic.get<ScoreTable>().candidates.at(index);
  }
  [[nodiscard]] const CostRule& cost_rule() const override {
    static const ScoreTableRule rule;
    return rule;
  }
  [[nodiscard]] std::string text(const Statistic& statistic, const Schema& /*schema*/) const override {
    return "candidate for " + joined(statistic.get<ScoreTable>().columns, ", ");
  }
  [[nodiscard]] std::string unit(const Statistic& /*statistic*/, const Schema& /*schema*/) const override {
    return {};
  }
  [[nodiscard]] std::size_t most_in_document() const override { return 8; }
  [[nodiscard]] bool answers_to(std::string_view name) const override { return name == "score-table"; }
  [[nodiscard]] Statistic read(Node& node) const override;
  [[nodiscard]] JsonValue write(const Statistic& statistic) const override {
    const auto& table = statistic.get<ScoreTable>();
    JsonArray scores;
    for (const std::int64_t score : table.scores) scores.push_back(json_rational(Rational(score)));
    return json_object({{"candidates", json_texts(table.candidates)},
                        {"columns", json_texts(table.columns)},
                        {"kind", json_text("score-table")},
                        {"scores", json_array(std::move(scores))}});
  }
};

Statistic ScoreTableKind::read(Node& node) const {
  ScoreTable table;
  table.columns = node.texts("columns");
  table.candidates = node.texts("candidates");
  if (table.candidates.size() < 2 || table.candidates.size() > kMostCandidates)
    node.refuse(ErrorCode::release_inconsistent, "candidates", {"must be 2 to 1000"});
  table.scores = read_scores(node, table.candidates.size());
  return table;
}

}  // namespace

const StatisticKind& kind_of(const ScoreTable& /*table*/) {
  static const ScoreTableKind kind;
  return kind;
}

std::int64_t score_table_range(const ScoreTable& table, Adjacency adjacency) {
  std::int64_t most = 0;
  const std::size_t levels = levels_of(table);
  for (std::size_t x = 0; x < levels; ++x) {
    if (adjacency == Adjacency::add_remove || mutant(83)) {
      most = std::max(most, spread(table, x, std::nullopt));
    } else {
      const std::size_t first = mutant(99) && x > 0 ? x - 1 : 0;
      for (std::size_t other = first; other < x; ++other) most = std::max(most, spread(table, x, other));
    }
  }
  return most;
}

std::vector<std::int64_t> read_scores(Node& node, std::size_t candidates) {
  const std::vector<Rational> numbers = node.rationals("scores");
  if (numbers.empty() || numbers.size() % candidates != 0 || numbers.size() > kMostScores)
    node.refuse(ErrorCode::bad_value, "scores", {"is not one number for each candidate and level"});
  std::vector<std::int64_t> out;
  for (const Rational& number : numbers) {
    if (number.get_den() != 1 || abs(number) > kMostScore)
      node.refuse(ErrorCode::bad_value, "scores", {"holds what is no whole number of at most 2^30"});
    out.push_back(number.get_num().get_si());
  }
  return out;
}

}  // namespace postern::model
