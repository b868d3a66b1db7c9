#include <algorithm>
#include <utility>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/model/settles.hpp"

#include "kinds/markov_net/select.hpp"
#include "kinds/markov_net/tree_rounds.hpp"

namespace postern::model {
namespace {

TreeBudget budget_of(const Rational& budget) { return {budget / 6, budget / 6, budget - budget / 3}; }

MarkovNet tree_of(MarkovNet net, std::span<const ColumnPair> pairs) {
  net.select = Selection::none;
  for (const auto& [a, b] : pairs) net.cliques.push_back({a, b});
  for (std::uint32_t v = 0; v < net.columns.size(); ++v) net.cliques.push_back({v});
  return net;
}

/// A walk from column to column, anywhere at every step: the steps by which columns are first reached are a
/// tree, each with the same probability (the walk of Aldous and Broder).
std::vector<ColumnPair> even_tree(std::size_t columns, Rng& rng) {
  std::vector<ColumnPair> out;
  std::vector<bool> reached(columns);
  auto at = static_cast<std::uint32_t>(draw_below(columns, rng));
  reached[at] = true;
  while (out.size() + 1 < columns) {
    const auto next = static_cast<std::uint32_t>(draw_below(columns, rng));
    if (!reached[next]) out.push_back({std::min(at, next), std::max(at, next)});
    reached[next] = true;
    at = next;
  }
  return out;
}

class TreeRule : public RoundRule, public SettlesModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "markov-tree"; }
  [[nodiscard]] std::size_t at_most(const Study& study, const Request& /*request*/) const override {
    return tree_rounds(study.model.get<MarkovNet>());
  }
  [[nodiscard]] std::vector<Block> next(const Study& study, const Request& /*request*/,
                                        const Rational& budget,
                                        std::span<const PublishedRound> before) const override {
    return next_tree_round(study, budget_of(budget), before);
  }
  [[nodiscard]] Model settled(const Study& study, std::span<const PublishedRound> rounds) const override {
    MarkovNet net = study.model.get<MarkovNet>();
    const std::vector<ColumnPair> chosen = tree_pairs(net, rounds);
    if (chosen.size() + 1 != net.columns.size())
      throw Error(ErrorCode::release_inconsistent, {"a release did not choose a whole tree"});
    return tree_of(std::move(net), chosen);
  }
  /// Every tree is as likely as any other.
  [[nodiscard]] std::optional<Model> drawn(const Study& study, Rng& rng) const override {
    const auto& net = study.model.get<MarkovNet>();
    return tree_of(net, even_tree(net.columns.size(), rng));
  }
};

}  // namespace

const RoundRule& tree_rule() {
  static const TreeRule rule;
  return rule;
}

std::vector<Block> design_tree(const Study& study, const Request& request, const Rational& budget) {
  refuse_shares(request);
  return next_tree_round(study, budget_of(budget), {});
}

}  // namespace postern::model
