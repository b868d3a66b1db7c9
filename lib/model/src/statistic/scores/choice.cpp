#include "statistic/scores/choice.hpp"

#include <set>

namespace postern::model {

Rational ChoiceRule::worst(std::span<const WeighedStatistic> statistics, const Schema& /*schema*/,
                           const PrivacyPolicy& policy) const {
  Rational total = 0;
  for (const WeighedStatistic& one : statistics) {
    const Rational epsilon = one.weight * range(*one.statistic, policy.adjacency);
    total += policy.currency == Currency::pure ? epsilon : Rational(epsilon * epsilon / 8);
  }
  return total;
}

std::vector<std::string> read_score_columns(Node& node) {
  std::vector<std::string> out = node.texts("columns");
  if (std::set<std::string>(out.begin(), out.end()).size() != out.size()) refuse_scores(node, "columns");
  return out;
}

std::vector<std::int64_t> read_whole(Node& node, std::string_view key, std::int64_t most) {
  std::vector<std::int64_t> out;
  for (const Rational& value : node.rationals(key, 0)) {
    if (value.get_den() != 1 || value < 0 || value > Rational(static_cast<long>(most)))
      node.refuse(ErrorCode::release_malformed, key, {"holds a number that is no count"});
    out.push_back(value.get_num().get_si());
  }
  return out;
}

void refuse_scores(Node& node, std::string_view key) {
  node.refuse(ErrorCode::release_inconsistent, key, {"does not fit the columns of the scores"});
}

}  // namespace postern::model
