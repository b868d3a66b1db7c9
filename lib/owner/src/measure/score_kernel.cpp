#include "score_kernel.hpp"

namespace postern::owner {

std::vector<std::vector<std::string>> candidate_tables(const model::PairScores& scores) {
  std::vector<std::vector<std::string>> out;
  for (const auto& [a, b] : scores.pairs) out.push_back({scores.columns[a], scores.columns[b]});
  return out;
}

std::vector<std::vector<std::string>> candidate_tables(const model::CliqueScores& scores) {
  std::vector<std::vector<std::string>> out;
  for (const graph::Variables& clique : scores.cliques) {
    std::vector<std::string>& names = out.emplace_back();
    for (const std::uint32_t v : clique) names.push_back(scores.columns[v]);
  }
  return out;
}

Accelerated measure_scores(const model::Statistic& statistic, const CountsOf& counts) {
  const auto* pairs = statistic.as<model::PairScores>();
  const auto* cliques = statistic.as<model::CliqueScores>();
  if (pairs == nullptr && cliques == nullptr) return std::nullopt;
  std::vector<std::span<const std::int64_t>> tables;
  for (const std::vector<std::string>& columns :
       pairs != nullptr ? candidate_tables(*pairs) : candidate_tables(*cliques))
    tables.push_back(counts(columns));
  return pairs != nullptr ? distances(*pairs, tables) : distances(*cliques, tables);
}

}  // namespace postern::owner
