#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"
#include "postern/model/statistic/clique_scores.hpp"

#include "statistic/scores/choice.hpp"

namespace postern::model {
namespace {

/// The draw of one candidate by its score (cliques.md).
class CliqueScoresRule : public ChoiceRule {
  [[nodiscard]] Rational range(const Statistic& /*statistic*/, Adjacency adjacency) const override {
    const int apart = adjacency == Adjacency::add_remove || mutant(105) ? 2 : 4;
    return mutant(104) ? apart / 2 : apart;
  }
};

std::vector<std::uint32_t> levels_of(const CliqueScores& scores, const Schema& schema) {
  std::vector<std::uint32_t> out;
  for (const std::string& name : scores.columns) out.push_back(schema.at(name).levels());
  return out;
}

/// The table of every candidate.
class CliqueTally : public Tally {
 public:
  CliqueTally(CliqueScores scores, const Schema& schema)
      : scores_(std::move(scores)), levels_(levels_of(scores_, schema)) {
    for (const graph::Variables& clique : scores_.cliques)
      tables_.emplace_back(static_cast<std::size_t>(graph::cells_of(clique, levels_)), 0);
  }
  void add(std::span<const std::uint32_t> levels, std::int64_t count) override {
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      std::size_t cell = 0;
      for (const std::uint32_t v : scores_.cliques[i]) cell = cell * levels_[v] + levels[v];
      tables_[i][cell] += count;
    }
  }
  [[nodiscard]] std::vector<Int128> values() const override {
    return distances(scores_, {tables_.begin(), tables_.end()});
  }

 private:
  CliqueScores scores_;
  std::vector<std::uint32_t> levels_;
  std::vector<std::vector<std::int64_t>> tables_;
};

class CliqueScoresKind : public StatisticKind {
 public:
  [[nodiscard]] std::vector<std::string> columns(const Statistic& statistic) const override {
    return statistic.get<CliqueScores>().columns;
  }
  [[nodiscard]] std::vector<std::uint32_t> shape(const Statistic& statistic,
                                                 const Schema& schema) const override {
    const auto& scores = statistic.get<CliqueScores>();
    const std::vector<std::uint32_t> levels = levels_of(scores, schema);
    double cells = 0;
    for (const graph::Variables& clique : scores.cliques) cells += graph::cells_of(clique, levels);
    if (cells != static_cast<double>(scores.expected.size()) ||
        scores.handicaps.size() != scores.cliques.size())
      throw Error(ErrorCode::bad_value,
                  {"scores of cliques need a number for every cell of every candidate"});
    return {1};
  }
  [[nodiscard]] std::unique_ptr<Tally> tally(const Statistic& statistic,
                                             const Schema& schema) const override {
    return std::make_unique<CliqueTally>(statistic.get<CliqueScores>(), schema);
  }
  [[nodiscard]] bool is_choice() const override { return true; }
  [[nodiscard]] std::size_t candidates(const Statistic& statistic, const Schema& /*schema*/) const override {
    return statistic.get<CliqueScores>().cliques.size();
  }
  [[nodiscard]] std::string candidate(const Statistic& statistic, const Schema& /*schema*/,
                                      std::size_t index) const override {
    const auto& scores = statistic.get<CliqueScores>();
    std::string out;
    for (const std::uint32_t v : scores.cliques.at(index))
      out += (out.empty() ? "" : " x ") + scores.columns.at(v);
    return out;
  }
  [[nodiscard]] const CostRule& cost_rule() const override {
    static const CliqueScoresRule rule;
    return rule;
  }
  [[nodiscard]] std::string text(const Statistic& statistic, const Schema& /*schema*/) const override {
    return "one of " + std::to_string(statistic.get<CliqueScores>().cliques.size()) +
           " sets of columns, by the model so far";
  }
  [[nodiscard]] std::string unit(const Statistic& /*statistic*/, const Schema& /*schema*/) const override {
    return {};
  }
  [[nodiscard]] bool answers_to(std::string_view name) const override { return name == "clique-scores"; }
  [[nodiscard]] Statistic read(Node& node) const override;
  [[nodiscard]] JsonValue write(const Statistic& statistic) const override;
};

/// `sizes` says how many columns each candidate has, `cliques` which, one candidate behind the other.
Statistic CliqueScoresKind::read(Node& node) const {
  CliqueScores out;
  out.columns = read_score_columns(node);
  out.expected = read_whole(node, "expected", kMostExpected);
  out.handicaps = read_whole(node, "handicaps", kMostExpected);
  const auto most = static_cast<std::int64_t>(out.columns.size());
  const std::vector<std::int64_t> sizes = read_whole(node, "sizes", most);
  const std::vector<std::int64_t> places = read_whole(node, "cliques", most - 1);
  std::size_t at = 0;
  for (const std::int64_t size : sizes) {
    if (size == 0 || places.size() - at < static_cast<std::size_t>(size)) refuse_scores(node, "sizes");
    graph::Variables& clique = out.cliques.emplace_back();
    for (std::int64_t i = 0; i < size; ++i) clique.push_back(static_cast<std::uint32_t>(places[at++]));
    if (std::adjacent_find(clique.begin(), clique.end(), std::greater_equal<>()) != clique.end())
      refuse_scores(node, "cliques");
  }
  if (at != places.size() || sizes.empty()) refuse_scores(node, "cliques");
  return out;
}

JsonValue CliqueScoresKind::write(const Statistic& statistic) const {
  const auto& scores = statistic.get<CliqueScores>();
  const auto whole = [](const std::vector<std::int64_t>& numbers) {
    return json_rationals({numbers.begin(), numbers.end()});
  };
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> places;
  for (const graph::Variables& clique : scores.cliques) {
    sizes.push_back(static_cast<std::int64_t>(clique.size()));
    places.insert(places.end(), clique.begin(), clique.end());
  }
  return json_object({{"cliques", whole(places)},
                      {"columns", json_texts(scores.columns)},
                      {"expected", whole(scores.expected)},
                      {"handicaps", whole(scores.handicaps)},
                      {"kind", json_text("clique-scores")},
                      {"sizes", whole(sizes)}});
}

}  // namespace

std::vector<Int128> distances(const CliqueScores& scores,
                              const std::vector<std::span<const std::int64_t>>& tables) {
  std::vector<Int128> out;
  const std::int64_t* expected = scores.expected.data();
  for (std::size_t i = 0; i < tables.size(); ++i) {
    Int128 distance = -scores.handicaps[i];
    for (const std::int64_t count : tables[i]) distance += std::abs(count - *expected++);
    out.push_back(distance);
  }
  return out;
}

const StatisticKind& kind_of(const CliqueScores& /*scores*/) {
  static const CliqueScoresKind kind;
  return kind;
}

}  // namespace postern::model
