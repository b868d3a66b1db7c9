#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/model/kinds/markov_net.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/rounds.hpp"

namespace postern::model {

// The rounds that choose and measure a tree of columns: first the table of each column; then, one after the
// other, the pairs that join columns not yet connected, each by its distance from what independent columns
// would have (exponential mechanism); last the tables of the pairs. After McKenna, Miklau and Sheldon 2021,
// with exact choices.

using ColumnPair = std::array<std::uint32_t, 2>;

/// What of the budget each phase has.
struct TreeBudget {
  Rational columns;  ///< tables of columns
  Rational choices;  ///< choices of pairs
  Rational tables;   ///< tables of the pairs
};

/// How many rounds these are: one for columns, one a choice, one for all tables of pairs.
[[nodiscard]] std::size_t tree_rounds(const MarkovNet& net);
/// What the choices chose, as far as they got. Throws release_inconsistent.
[[nodiscard]] std::vector<ColumnPair> tree_pairs(const MarkovNet& net,
                                                 std::span<const PublishedRound> rounds);
/// The round after those, which are fewer than tree_rounds; the first after none.
[[nodiscard]] std::vector<Block> next_tree_round(const Study& study, const TreeBudget& budget,
                                                 std::span<const PublishedRound> before);
/// The tables of some pairs, for that much together.
[[nodiscard]] std::vector<Block> pair_tables(const Study& study, std::span<const ColumnPair> pairs,
                                             const Rational& amount);
/// Where nothing is chosen yet there are no blocks to give a share to: bad_option.
void refuse_shares(const Request& request);

}  // namespace postern::model
