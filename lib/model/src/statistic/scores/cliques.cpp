#include <algorithm>
#include <set>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"
#include "postern/model/statistic/clique_scores.hpp"

namespace postern::model {
namespace {

/// The draw of one candidate by its score (cliques.md).
class CliqueScoresRule : public CostRule {
 public:
  [[nodiscard]] Rational worst(std::span<const WeighedStatistic> statistics, const Schema& /*schema*/,
                               const PrivacyPolicy& policy) const override {
    Rational total = 0;
    for (const WeighedStatistic& one : statistics) {
      int apart = policy.adjacency == Adjacency::add_remove || mutant(105) ? 2 : 4;
      if (mutant(104)) apart /= 2;
      const Rational epsilon = one.weight * apart;
      total += policy.currency == Currency::pure ? epsilon : Rational(epsilon * epsilon / 8);
    }
    return total;
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

std::vector<std::int64_t> read_whole(Node& node, std::string_view key, std::int64_t most) {
  std::vector<std::int64_t> out;
  for (const Rational& value : node.rationals(key, 0)) {
    if (value.get_den() != 1 || value < 0 || value > Rational(static_cast<long>(most)))
      node.refuse(ErrorCode::release_malformed, key, {"holds a number that is no count"});
    out.push_back(value.get_num().get_si());
  }
  return out;
}

/// `sizes` says how many columns each candidate has, `cliques` which, one candidate behind the other.
Statistic CliqueScoresKind::read(Node& node) const {
  CliqueScores out;
  out.columns = node.texts("columns");
  const auto refuse = [&](std::string_view key) {
    node.refuse(ErrorCode::release_inconsistent, key, {"does not fit the columns of the scores"});
  };
  if (std::set<std::string>(out.columns.begin(), out.columns.end()).size() != out.columns.size())
    refuse("columns");
  out.expected = read_whole(node, "expected", kMostExpected);
  out.handicaps = read_whole(node, "handicaps", kMostExpected);
  const auto most = static_cast<std::int64_t>(out.columns.size());
  const std::vector<std::int64_t> sizes = read_whole(node, "sizes", most);
  const std::vector<std::int64_t> places = read_whole(node, "cliques", most - 1);
  std::size_t at = 0;
  for (const std::int64_t size : sizes) {
    if (size == 0 || places.size() - at < static_cast<std::size_t>(size)) refuse("sizes");
    graph::Variables& clique = out.cliques.emplace_back();
    for (std::int64_t i = 0; i < size; ++i) clique.push_back(static_cast<std::uint32_t>(places[at++]));
    if (std::adjacent_find(clique.begin(), clique.end(), std::greater_equal<>()) != clique.end())
      refuse("cliques");
  }
  if (at != places.size() || sizes.empty()) refuse("cliques");
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
