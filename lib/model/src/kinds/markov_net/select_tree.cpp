#include "postern/core/error.hpp"
#include "postern/model/settles.hpp"

#include "kinds/markov_net/select.hpp"
#include "kinds/markov_net/tree_rounds.hpp"

namespace postern::model {
namespace {

TreeBudget budget_of(const Rational& budget) { return {budget / 6, budget / 6, budget - budget / 3}; }

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
    net.select = Selection::none;
    for (const auto& [a, b] : chosen) net.cliques.push_back({a, b});
    for (std::uint32_t v = 0; v < net.columns.size(); ++v) net.cliques.push_back({v});
    return net;
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
