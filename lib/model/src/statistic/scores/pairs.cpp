#include <algorithm>
#include <cstdlib>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"
#include "postern/model/statistic/pair_scores.hpp"

#include "statistic/scores/choice.hpp"

namespace postern::model {
namespace {

constexpr std::int64_t kMostExpected = std::int64_t{1} << 40;

/// The draw of one candidate by its score (pairs.md).
class PairScoresRule : public ChoiceRule {
  [[nodiscard]] Rational range(const Statistic& /*statistic*/, Adjacency adjacency) const override {
    const bool moved_once = adjacency == Adjacency::add_remove || mutant(118);
    return (moved_once ? 2 : 4) / (mutant(87) ? 2 : 1);
  }
};

/// The table of every candidate.
class PairTally : public Tally {
 public:
  explicit PairTally(PairScores scores) : scores_(std::move(scores)) {
    for (const auto& [a, b] : scores_.pairs)
      tables_.emplace_back(scores_.margins[a].size() * scores_.margins[b].size(), 0);
  }
  void add(std::span<const std::uint32_t> levels, std::int64_t count) override {
    for (std::size_t p = 0; p < tables_.size(); ++p) {
      const auto [a, b] = scores_.pairs[p];
      tables_[p][levels[a] * scores_.margins[b].size() + levels[b]] += count;
    }
  }
  [[nodiscard]] std::vector<Int128> values() const override {
    return distances(scores_, {tables_.begin(), tables_.end()});
  }

 private:
  PairScores scores_;
  std::vector<std::vector<std::int64_t>> tables_;
};

class PairScoresKind : public StatisticKind {
 public:
  [[nodiscard]] std::vector<std::string> columns(const Statistic& statistic) const override {
    return statistic.get<PairScores>().columns;
  }
  [[nodiscard]] std::vector<std::uint32_t> shape(const Statistic& statistic,
                                                 const Schema& schema) const override {
    const auto& scores = statistic.get<PairScores>();
    for (std::size_t c = 0; c < scores.columns.size(); ++c) {
      if (schema.at(scores.columns[c]).levels() != scores.margins.at(c).size())
        throw Error(ErrorCode::bad_value, {"scores of pairs need a number for every level of every column"});
    }
    return {1};
  }
  [[nodiscard]] std::unique_ptr<Tally> tally(const Statistic& statistic,
                                             const Schema& /*schema*/) const override {
    return std::make_unique<PairTally>(statistic.get<PairScores>());
  }
  [[nodiscard]] bool is_choice() const override { return true; }
  [[nodiscard]] std::size_t candidates(const Statistic& statistic, const Schema& /*schema*/) const override {
    return statistic.get<PairScores>().pairs.size();
  }
  [[nodiscard]] std::string candidate(const Statistic& statistic, const Schema& /*schema*/,
                                      std::size_t index) const override {
    const auto& scores = statistic.get<PairScores>();
    const auto [a, b] = scores.pairs.at(index);
    return scores.columns[a] + " x " + scores.columns[b];
  }
  [[nodiscard]] const CostRule& cost_rule() const override {
    static const PairScoresRule rule;
    return rule;
  }
  [[nodiscard]] std::string text(const Statistic& statistic, const Schema& /*schema*/) const override {
    return "one of " + std::to_string(statistic.get<PairScores>().pairs.size()) + " pairs of columns";
  }
  [[nodiscard]] std::string unit(const Statistic& /*statistic*/, const Schema& /*schema*/) const override {
    return {};
  }
  [[nodiscard]] bool answers_to(std::string_view name) const override { return name == "pair-scores"; }
  [[nodiscard]] Statistic read(Node& node) const override;
  [[nodiscard]] JsonValue write(const Statistic& statistic) const override;
};

/// `levels` says how the margins, one behind the other, belong to columns.
Statistic PairScoresKind::read(Node& node) const {
  PairScores out;
  out.columns = read_score_columns(node);
  out.total = node.integer("total", 1, kMostExpected);
  const std::vector<std::int64_t> levels = read_whole(node, "levels", kMaxLevels);
  const std::vector<std::int64_t> margins = read_whole(node, "margins", kMostExpected);
  const std::vector<std::int64_t> pairs =
      read_whole(node, "pairs", static_cast<std::int64_t>(out.columns.size()) - 1);
  if (levels.size() != out.columns.size()) refuse_scores(node, "levels");
  std::size_t at = 0;
  for (const std::int64_t own : levels) {
    const auto size = static_cast<std::size_t>(own);
    if (size == 0 || margins.size() - at < size) refuse_scores(node, "margins");
    const auto from = margins.begin() + static_cast<std::ptrdiff_t>(at);
    out.margins.emplace_back(from, from + static_cast<std::ptrdiff_t>(size));
    at += size;
  }
  if (at != margins.size()) refuse_scores(node, "margins");
  if (pairs.empty() || pairs.size() % 2 != 0) refuse_scores(node, "pairs");
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    if (pairs[i] >= pairs[i + 1]) refuse_scores(node, "pairs");
    out.pairs.push_back({static_cast<std::uint32_t>(pairs[i]), static_cast<std::uint32_t>(pairs[i + 1])});
  }
  return out;
}

JsonValue PairScoresKind::write(const Statistic& statistic) const {
  const auto& scores = statistic.get<PairScores>();
  std::vector<Rational> levels;
  std::vector<Rational> margins;
  std::vector<Rational> pairs;
  for (const std::vector<std::int64_t>& margin : scores.margins) {
    levels.emplace_back(static_cast<unsigned long>(margin.size()));
    for (const std::int64_t count : margin) margins.emplace_back(count);
  }
  for (const auto& pair : scores.pairs) {
    for (const std::uint32_t place : pair) pairs.emplace_back(static_cast<unsigned long>(place));
  }
  return json_object({{"columns", json_texts(scores.columns)},
                      {"kind", json_text("pair-scores")},
                      {"levels", json_rationals(levels)},
                      {"margins", json_rationals(margins)},
                      {"pairs", json_rationals(pairs)},
                      {"total", json_integer(scores.total)}});
}

}  // namespace

std::vector<Int128> distances(const PairScores& scores,
                              const std::vector<std::span<const std::int64_t>>& tables) {
  std::vector<Int128> out;
  for (std::size_t p = 0; p < tables.size(); ++p) {
    const auto [a, b] = scores.pairs[p];
    Int128 distance = 0;
    const std::int64_t* count = tables[p].data();
    for (const std::int64_t one : scores.margins[a]) {
      for (const std::int64_t other : scores.margins[b])
        distance += std::llabs(*count++ - expected_records(one, other, scores.total));
    }
    out.push_back(distance);
  }
  return out;
}

std::int64_t expected_records(std::int64_t one, std::int64_t other, std::int64_t total) {
  const Int128 twice = 2 * (static_cast<Int128>(one) * other) + total;
  return static_cast<std::int64_t>(twice / (2 * static_cast<Int128>(total)));
}

const StatisticKind& kind_of(const PairScores& /*scores*/) {
  static const PairScoresKind kind;
  return kind;
}

}  // namespace postern::model
