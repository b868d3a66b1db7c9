#pragma once

#include <string>
#include <vector>

#include "postern/model/study.hpp"

namespace postern::app {

/// Two neighbouring datasets made up from a schema alone, as CSV text with a header line.
struct NeighbourPair {
  std::string what;  ///< "first cell -> last cell"
  std::string on_d;
  std::string on_neighbour;
};

/// Pairs that differ in one record as the study's adjacency says: between the corners of the model's table,
/// and by fields that are outside the declared values or missing; at one record and among twenty. If the unit
/// is a person with at most k records: in one person's k and more records, alike, mixed, or without an id.
/// With `in_rounds`, where releases may choose among sets of columns, one pair more whose record moves the
/// scores of some pairs of columns up and those of others down.
[[nodiscard]] std::vector<NeighbourPair> neighbour_pairs(const model::Study& study, bool in_rounds = false);

}  // namespace postern::app
