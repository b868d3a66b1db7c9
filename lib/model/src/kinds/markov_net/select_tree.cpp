#include "kinds/markov_net/select_tree.hpp"

#include <algorithm>
#include <numeric>

#include "postern/core/error.hpp"
#include "postern/model/kinds/markov_net.hpp"
#include "postern/model/settles.hpp"
#include "postern/model/statistic/pair_scores.hpp"
#include "postern/model/statistic/table.hpp"

#include "kinds/checks.hpp"
#include "plan/sharing.hpp"

namespace postern::model {
namespace {

using Pair = std::array<std::uint32_t, 2>;

// Shares of the budget: tables of columns, choices of pairs, and the rest for tables of pairs.
Rational for_columns(const Rational& budget) { return budget / 6; }
Rational for_choices(const Rational& budget) { return budget / 6; }

std::size_t choices_of(const MarkovNet& net) { return net.columns.size() - 1; }

/// Records, from the tables of all columns: their sums, weighed by precision. At least 1.
Integer total_of(std::span<const MeasuredBlock> tables) {
  Rational weighted = 0;
  Rational weights = 0;
  for (const MeasuredBlock& table : tables) {
    const Rational weight(1, static_cast<unsigned long>(table.values.size()));
    for (const Int128 value : table.values) weighted += weight * static_cast<long>(value);
    weights += weight;
  }
  const Rational mean = weighted / weights + Rational(1, 2);
  Integer whole;
  mpz_fdiv_q(whole.get_mpz_t(), mean.get_num_mpz_t(), mean.get_den_mpz_t());
  const Integer most = Integer(1) << 40;
  return std::clamp<Integer>(whole, 1, most);
}

/// A column's noisy counts without what is below 0, brought to the total.
std::vector<std::int64_t> margin_of(const MeasuredBlock& table, const Integer& total) {
  const Integer most = Integer(1) << 40;
  std::vector<Integer> counts;
  Integer sum = 0;
  for (const Int128 value : table.values) {
    counts.push_back(std::clamp<Integer>(Integer(static_cast<long>(value)), 0, most));
    sum += counts.back();
  }
  std::vector<std::int64_t> out;
  for (const Integer& count : counts) {
    const Integer part = sum > 0 ? Integer((2 * count * total + sum) / (2 * sum))
                                 : Integer(total / static_cast<unsigned long>(counts.size()));
    out.push_back(part.get_si());
  }
  return out;
}

/// The component of every column once some pairs are connected.
std::vector<std::uint32_t> components(std::size_t columns, const std::vector<Pair>& pairs) {
  std::vector<std::uint32_t> out(columns);
  std::iota(out.begin(), out.end(), 0U);
  for (const auto& [a, b] : pairs)
    std::replace(out.begin(), out.end(), std::uint32_t{out[b]}, std::uint32_t{out[a]});
  return out;
}

std::vector<Pair> candidates(std::size_t columns, const std::vector<Pair>& chosen) {
  const std::vector<std::uint32_t> component = components(columns, chosen);
  std::vector<Pair> out;
  for (std::uint32_t a = 0; a < columns; ++a) {
    for (std::uint32_t b = a + 1; b < columns; ++b) {
      if (component[a] != component[b]) out.push_back({a, b});
    }
  }
  return out;
}

/// What the rounds of choices chose, as far as they got.
std::vector<Pair> chosen_pairs(const MarkovNet& net, std::span<const PublishedRound> rounds) {
  std::vector<Pair> chosen;
  for (std::size_t r = 1; r < rounds.size() && chosen.size() < choices_of(net); ++r) {
    const std::vector<Pair> open = candidates(net.columns.size(), chosen);
    const Int128 index = rounds[r].blocks.empty() || rounds[r].blocks[0].values.empty()
                             ? Int128{-1}
                             : rounds[r].blocks[0].values[0];
    if (index < 0 || index >= static_cast<Int128>(open.size()))
      throw Error(ErrorCode::release_inconsistent,
                  {"a release chose a pair of columns that was no candidate"});
    chosen.push_back(open[static_cast<std::size_t>(index)]);
  }
  return chosen;
}

PairScores scores_for(const MarkovNet& net, const PublishedRound& first, std::vector<Pair> open) {
  PairScores out;
  out.columns = net.columns;
  const Integer total = total_of(first.blocks);
  out.total = total.get_si();
  for (const MeasuredBlock& table : first.blocks) out.margins.push_back(margin_of(table, total));
  out.pairs = std::move(open);
  return out;
}

class TreeRule : public RoundRule, public SettlesModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "markov-tree"; }
  [[nodiscard]] std::size_t at_most(const Study& study, const Request& /*request*/) const override {
    return choices_of(study.model.get<MarkovNet>()) + 2;
  }
  [[nodiscard]] std::vector<Block> next(const Study& study, const Request& /*request*/,
                                        const Rational& budget,
                                        std::span<const PublishedRound> before) const override {
    const auto& net = study.model.get<MarkovNet>();
    const std::vector<Pair> chosen = chosen_pairs(net, before);
    if (chosen.size() < choices_of(net)) {
      const PairScores scores = scores_for(net, before.front(), candidates(net.columns.size(), chosen));
      return share_choices({{"choice", scores}}, study, {},
                           for_choices(budget) / static_cast<unsigned long>(choices_of(net)));
    }
    std::vector<WantedBlock> wanted;
    for (const auto& [a, b] : chosen) {
      const std::vector<std::string> names{net.columns[a], net.columns[b]};
      wanted.push_back({joined(names, " x "), Table{names}});
    }
    return share_out(wanted, study, {}, budget - for_columns(budget) - for_choices(budget));
  }
  [[nodiscard]] Model settled(const Study& study, std::span<const PublishedRound> rounds) const override {
    MarkovNet net = study.model.get<MarkovNet>();
    const std::vector<Pair> chosen = chosen_pairs(net, rounds);
    if (chosen.size() != choices_of(net))
      throw Error(ErrorCode::release_inconsistent, {"a release did not choose a whole tree"});
    net.select_tree = false;
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
  if (!request.shares.empty()) {
    throw Error(ErrorCode::bad_option, {"a tree that is chosen has no blocks yet to give a share to; leave "
                                        "shares out"});
  }
  std::vector<WantedBlock> wanted;
  for (const std::string& name : study.model.get<MarkovNet>().columns)
    wanted.push_back({name, Table{{name}}});
  return share_out(wanted, study, {}, for_columns(budget));
}

}  // namespace postern::model
