#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"
#include "postern/model/kinds/markov_selection.hpp"
#include "postern/model/settles.hpp"
#include "postern/model/statistic/clique_scores.hpp"
#include "postern/model/statistic/table.hpp"

#include "kinds/markov_net/check.hpp"
#include "kinds/markov_net/select.hpp"
#include "kinds/markov_net/tree_rounds.hpp"
#include "plan/sharing.hpp"

namespace postern::model {
namespace {

/// Shares of the budget: 4 : 2 for tables of columns and choices of the tree, 10 for its tables; 2 : 7 for
/// choices and tables after it. Those of the pairs after the tree are for each time that some are chosen.
struct AdaptiveBudget {
  TreeBudget tree;
  Rational choices;
  Rational tables;
};
AdaptiveBudget budget_of(const MarkovNet& net, const Rational& budget) {
  const Rational part = budget / 25;
  const auto times = static_cast<unsigned long>(std::max<std::size_t>(mutant(106) ? 1 : fits_of(net), 1));
  return {{part * 4, part * 2, part * 10}, part * 2 / times, part * 7 / times};
}

std::uint32_t measured_place(const std::string& name, const MarkovNet& net) {
  const auto found = std::find(net.columns.begin(), net.columns.end(), name);
  if (found == net.columns.end())
    throw Error(ErrorCode::release_inconsistent, {"a release measured a column that its network lacks"});
  return static_cast<std::uint32_t>(found - net.columns.begin());
}

/// The network of all tables that were measured, each once.
MarkovNet measured_network(MarkovNet net, std::span<const PublishedRound> rounds) {
  net.select = Selection::none;
  net.cliques.clear();
  for (const PublishedRound& round : rounds) {
    for (const MeasuredBlock& measured : round.blocks) {
      const auto* table = measured.block.statistic.as<Table>();
      if (table == nullptr) continue;
      graph::Variables clique;
      for (const std::string& name : table->columns) clique.push_back(measured_place(name, net));
      clique = graph::sorted(clique);
      if (std::find(net.cliques.begin(), net.cliques.end(), clique) == net.cliques.end())
        net.cliques.push_back(std::move(clique));
    }
  }
  return net;
}

/// Is the round after those one in which pairs are chosen by the model? Else their tables are measured.
bool chooses_next(const MarkovNet& net, std::span<const PublishedRound> before) {
  return (before.size() - tree_rounds(net)) % 2 == 0;
}

/// Choices among disjoint sets of candidates, so that no pair is chosen twice.
std::vector<Block> choose(const Study& study, const AdaptiveBudget& budget, std::span<const Int128> table) {
  const auto& net = study.model.get<MarkovNet>();
  const std::vector<PairCandidate> open = read_candidates(table, net);
  std::vector<WantedBlock> wanted(std::min(pairs_at_once(net), open.size()), {"choice", CliqueScores{}});
  std::vector<CliqueScores> groups(wanted.size());
  for (std::size_t i = 0; i < open.size(); ++i) {
    CliqueScores& group = groups[i % groups.size()];
    group.cliques.push_back({open[i].first, open[i].second});
    group.handicaps.push_back(open[i].handicap);
    group.expected.insert(group.expected.end(), open[i].expected.begin(), open[i].expected.end());
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    groups[g].columns = net.columns;
    wanted[g].statistic = std::move(groups[g]);
  }
  return wanted.empty() ? std::vector<Block>{} : share_choices(wanted, study, {}, budget.choices);
}

/// The pairs that a round of choices chose, as far as they fit together.
std::vector<ColumnPair> chosen_pairs(const MarkovNet& net, std::span<const PublishedRound> rounds) {
  MarkovNet grown = measured_network(net, rounds);
  std::vector<ColumnPair> out;
  for (const MeasuredBlock& measured : rounds.back().blocks) {
    const auto* scores = measured.block.statistic.as<CliqueScores>();
    const Int128 index = measured.values.empty() ? Int128{-1} : measured.values[0];
    if (scores == nullptr || index < 0 || index >= static_cast<Int128>(scores->cliques.size()))
      throw Error(ErrorCode::release_inconsistent,
                  {"a release chose a pair of columns that was no candidate"});
    const graph::Variables& pair = scores->cliques[static_cast<std::size_t>(index)];
    if (pair.size() != 2 || pair[1] >= net.columns.size())
      throw Error(ErrorCode::release_inconsistent, {"a release chose columns that are no pair"});
    grown.cliques.push_back(pair);
    if (quick_cells(grown) > static_cast<double>(net.most_cells)) {
      grown.cliques.pop_back();
    } else {
      out.push_back({pair[0], pair[1]});
    }
  }
  return out;
}

class AdaptiveRule : public RoundRule, public SettlesModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "markov-adaptive"; }
  [[nodiscard]] std::size_t at_most(const Study& study, const Request& /*request*/) const override {
    const auto& net = study.model.get<MarkovNet>();
    return tree_rounds(net) + 2 * fits_of(net);
  }
  [[nodiscard]] bool takes_table() const override { return true; }
  [[nodiscard]] std::vector<Block> next(const Study& study, const Request& /*request*/,
                                        const Rational& budget,
                                        std::span<const PublishedRound> before) const override {
    const auto& net = study.model.get<MarkovNet>();
    const AdaptiveBudget shares = budget_of(net, budget);
    if (before.size() < tree_rounds(net)) return next_tree_round(study, shares.tree, before);
    if (chooses_next(net, before)) return choose(study, shares, before.back().table);
    const std::vector<ColumnPair> pairs = chosen_pairs(net, before);
    return pairs.empty() ? std::vector<Block>{} : pair_tables(study, pairs, shares.tables);
  }
  [[nodiscard]] Model settled(const Study& study, std::span<const PublishedRound> rounds) const override {
    const auto& net = study.model.get<MarkovNet>();
    if (rounds.size() < tree_rounds(net))
      throw Error(ErrorCode::release_inconsistent, {"a release did not choose a whole tree"});
    MarkovNet out = measured_network(net, rounds);
    check_markov_net(out, study.schema);
    return out;
  }
};

}  // namespace

std::size_t fits_of(const MarkovNet& net) {
  return net.more_pairs == 0 ? 0 : (net.more_pairs + pairs_at_once(net) - 1) / pairs_at_once(net);
}

std::optional<SelectionState> awaited_candidates(const Study& study, const Rational& budget,
                                                 std::span<const PublishedRound> before) {
  const auto& net = study.model.get<MarkovNet>();
  if (net.select != Selection::adaptive || before.size() < tree_rounds(net) || !chooses_next(net, before))
    return std::nullopt;
  const AdaptiveBudget shares = budget_of(net, budget);
  const Rational each = shares.tables / static_cast<unsigned long>(pairs_at_once(net));
  const std::vector<ColumnPair> any{{0, 1}};
  return SelectionState{measured_network(net, before), pairs_at_once(net),
                        pair_tables(study, any, each).front().noise};
}

const RoundRule& adaptive_rule() {
  static const AdaptiveRule rule;
  return rule;
}

std::vector<Block> design_adaptive(const Study& study, const Request& request, const Rational& budget) {
  refuse_shares(request);
  return next_tree_round(study, budget_of(study.model.get<MarkovNet>(), budget).tree, {});
}

}  // namespace postern::model
