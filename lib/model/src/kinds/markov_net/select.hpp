#pragma once

#include <vector>

#include "postern/model/kinds/markov_net.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/rounds.hpp"

namespace postern::model {

/// A tree of columns chosen by the release itself, one charge for all (tree_rounds.hpp): a sixth of the
/// budget for tables of columns, a sixth for choices, the rest for the tables of the pairs.
[[nodiscard]] const RoundRule& tree_rule();
/// The tables of the first round.
[[nodiscard]] std::vector<Block> design_tree(const Study& study, const Request& request,
                                             const Rational& budget);

/// A tree, and then more pairs: again and again a model is fitted to what was published, the pair whose table
/// is furthest from the model's is chosen (exponential mechanism), and its table is measured. After McKenna,
/// Mullins, Sheldon and Miklau 2022, with exact choices and one charge. Takes a table of candidates
/// (postern/model/kinds/markov_selection.hpp).
[[nodiscard]] const RoundRule& adaptive_rule();
/// The tables of the first round.
[[nodiscard]] std::vector<Block> design_adaptive(const Study& study, const Request& request,
                                                 const Rational& budget);

/// How many pairs an adaptive selection chooses with one fit: as few as keep the fits few enough for a
/// processor (24) and for a document (published_numbers).
[[nodiscard]] std::size_t pairs_at_once(const MarkovNet& net);

}  // namespace postern::model
