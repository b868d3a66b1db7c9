#pragma once

#include <string>
#include <vector>

#include "postern/graph/bif.hpp"

namespace postern::model {

/// A column as a study could declare it, known by its name and the type of its values alone.
struct DraftColumn {
  enum class Kind { text, whole, real, boolean, other };
  std::string name;
  Kind kind = Kind::text;  ///< of a CSV file's column too, whose header tells no types
};

/// A study to fill in: what must be decided is marked, and nothing of it comes from a record.
/// Throws column_repeated. @pre at least one column
[[nodiscard]] std::string draft_study(const std::string& name, const std::vector<DraftColumn>& columns);

/// The study of a network: its variables are columns, its levels their categories. Its probabilities are not
/// looked at.
[[nodiscard]] std::string draft_network_study(const std::string& name, const graph::BifNetwork& network);

/// A legal name for a study or dataset, from the path of its records ("-" or nothing: survey).
[[nodiscard]] std::string draft_name(const std::string& path);

}  // namespace postern::model
