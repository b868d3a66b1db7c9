#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bif/tokens.hpp"

namespace postern::graph::bif {

/// Words with the commas between them: "a b, c" is [[a, b], [c]]. To the format commas are blanks, but
/// programs write names that hold blanks without quotation marks, and commas keep these apart.
struct Names {
  Token at;
  std::vector<std::vector<std::string>> groups;
  [[nodiscard]] std::vector<std::string> by_group()
      const;  ///< the words of a group with a blank between them
  [[nodiscard]] std::vector<std::string> by_word() const;
  /// By group if that makes as many as wanted, else by word.
  [[nodiscard]] std::vector<std::string> count(std::size_t wanted) const;
};

struct VariableBlock {
  Token at;
  std::string name;
  std::vector<std::string> levels;
};

/// A line of a probability block: `table`, `default`, or a row with its levels of the parents.
struct Entry {
  enum class Kind { table, otherwise, row };
  Kind kind = Kind::row;
  Token at;
  Names levels;
  std::vector<double> numbers;
};

struct ProbabilityBlock {
  Token at;
  Names variable;                ///< without a bar, the parents behind it as well
  std::optional<Names> parents;  ///< what stands behind the bar
  std::vector<Entry> entries;
};

/// A file as it is written, before anything is looked up.
struct Declarations {
  std::string name;  ///< empty if the file has none
  std::vector<VariableBlock> variables;
  std::vector<ProbabilityBlock> probabilities;
};

/// Fails: study_syntax, with line and column.
[[nodiscard]] Declarations parse_declarations(Tokens& tokens);

}  // namespace postern::graph::bif
