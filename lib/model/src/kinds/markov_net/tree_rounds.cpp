#include "kinds/markov_net/tree_rounds.hpp"

#include <algorithm>
#include <numeric>

#include "postern/core/error.hpp"
#include "postern/model/statistic/pair_scores.hpp"
#include "postern/model/statistic/table.hpp"

#include "kinds/checks.hpp"
#include "plan/sharing.hpp"

namespace postern::model {
namespace {

using Pair = ColumnPair;

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

/// One table a column, which a document may lack.
void check_columns(const MarkovNet& net, const PublishedRound& first) {
  bool whole = first.blocks.size() == net.columns.size();
  for (std::size_t c = 0; whole && c < first.blocks.size(); ++c)
    whole = first.blocks[c].values.size() == net.levels[c];
  if (!whole)
    throw Error(ErrorCode::release_inconsistent,
                {"the first round of a release that chooses a network has not one table a column"});
}

PairScores scores_for(const MarkovNet& net, const PublishedRound& first, std::vector<Pair> open) {
  check_columns(net, first);
  PairScores out;
  out.columns = net.columns;
  const Integer total = total_of(first.blocks);
  out.total = total.get_si();
  for (const MeasuredBlock& table : first.blocks) out.margins.push_back(margin_of(table, total));
  out.pairs = std::move(open);
  return out;
}

}  // namespace

std::size_t tree_rounds(const MarkovNet& net) { return choices_of(net) + 2; }

std::vector<Pair> tree_pairs(const MarkovNet& net, std::span<const PublishedRound> rounds) {
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

std::vector<Block> next_tree_round(const Study& study, const TreeBudget& budget,
                                   std::span<const PublishedRound> before) {
  const auto& net = study.model.get<MarkovNet>();
  if (before.empty()) {
    std::vector<WantedBlock> wanted;
    for (const std::string& name : net.columns) wanted.push_back({name, Table{{name}}});
    return share_out(wanted, study, {}, budget.columns);
  }
  const std::vector<Pair> chosen = tree_pairs(net, before);
  if (chosen.size() == choices_of(net)) return pair_tables(study, chosen, budget.tables);
  const PairScores scores = scores_for(net, before.front(), candidates(net.columns.size(), chosen));
  return share_choices({{"choice", scores}}, study, {},
                       budget.choices / static_cast<unsigned long>(choices_of(net)));
}

std::vector<Block> pair_tables(const Study& study, std::span<const Pair> pairs, const Rational& amount) {
  const auto& net = study.model.get<MarkovNet>();
  std::vector<WantedBlock> wanted;
  for (const auto& [a, b] : pairs) {
    const std::vector<std::string> names{net.columns[a], net.columns[b]};
    wanted.push_back({joined(names, " x "), Table{names}});
  }
  return share_out(wanted, study, {}, amount);
}

void refuse_shares(const Request& request) {
  if (request.shares.empty()) return;
  throw Error(ErrorCode::bad_option,
              {"a network that is chosen has no blocks yet to give a share to; leave shares out"});
}

}  // namespace postern::model
