#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "postern/model/statistic.hpp"

namespace postern::model {

/// The draw of one candidate by its score: epsilon = scale R, rho = epsilon^2 / 8 (ranks.md).
class ChoiceRule : public CostRule {
 public:
  [[nodiscard]] Rational worst(std::span<const WeighedStatistic> statistics, const Schema& schema,
                               const PrivacyPolicy& policy) const final;

 private:
  /// R: the most that (change of one score) - (change of another) can be between neighbours.
  [[nodiscard]] virtual Rational range(const Statistic& statistic, Adjacency adjacency) const = 0;
};

/// Columns of a document's scores, each once.
[[nodiscard]] std::vector<std::string> read_score_columns(Node& node);
/// Whole numbers in 0..most.
[[nodiscard]] std::vector<std::int64_t> read_whole(Node& node, std::string_view key, std::int64_t most);
[[noreturn]] void refuse_scores(Node& node, std::string_view key);

}  // namespace postern::model
