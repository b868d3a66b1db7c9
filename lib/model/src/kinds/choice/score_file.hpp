#pragma once

#include "postern/model/kinds/choice.hpp"

namespace postern::model {

/// Fills names and scores of a choice from the CSV file that a study names at `scores`: a line of titles
/// (anything, then all levels of the column in any order), then a line a candidate (its name, then whole
/// numbers).
void read_score_file(Node& node, const Column& column, Choice& model);

}  // namespace postern::model
