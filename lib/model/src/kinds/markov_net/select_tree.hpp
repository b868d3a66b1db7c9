#pragma once

#include <vector>

#include "postern/model/plan.hpp"
#include "postern/model/rounds.hpp"

namespace postern::model {

/// A tree of columns chosen by the release itself, one charge for all: first the table of each column; then,
/// one after the other, the pairs that join columns not yet connected, each by its distance from what
/// independent columns would have (exponential mechanism); last the tables of the pairs. After McKenna,
/// Miklau and Sheldon 2021, with exact choices.
[[nodiscard]] const RoundRule& tree_rule();

/// The tables of the first round.
[[nodiscard]] std::vector<Block> design_tree(const Study& study, const Request& request,
                                             const Rational& budget);

}  // namespace postern::model
