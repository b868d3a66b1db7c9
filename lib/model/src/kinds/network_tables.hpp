#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "postern/model/schema.hpp"

namespace postern::model {

// What every kind of network asks of its columns and of the tables that it counts.

inline constexpr std::size_t kMostNodes = 4'096;  ///< columns of a network, and blocks of a document
inline constexpr std::size_t kMostInTable = 16;   ///< columns of a table

/// A network has 1 to kMostNodes columns, in the order in which they are declared, and each is discrete: it
/// has categories or cuts, or is a few whole numbers.
void check_network_columns(const std::vector<std::string>& columns, const Schema& schema);

/// How large the table over some columns would be.
struct TableSize {
  std::size_t cells = 1;  ///< the largest number there is where that is too small
  std::string text;       ///< "3 x 4 x 2"
};
[[nodiscard]] TableSize table_size(const std::vector<std::string>& columns, const Schema& schema);
/// The three largest of some tables, for people: "age, sex, cancer: 9 x 2 x 4; ...".
[[nodiscard]] std::string largest_tables(const std::vector<std::vector<std::string>>& tables,
                                         const Schema& schema);

/// The names of all declared columns.
[[nodiscard]] std::vector<std::string> declared_columns(const Schema& schema);
/// Names that are columns, each once, as the key of the model has them.
void check_declared(const std::vector<std::string>& names, const char* key, const Schema& schema);
/// The same names in the order in which the schema declares them. @pre they are declared
[[nodiscard]] std::vector<std::string> as_declared(const std::vector<std::string>& names,
                                                   const Schema& schema);

/// "1 cell", "4,375 cells"
[[nodiscard]] std::string counted(std::size_t number, const char* one);

}  // namespace postern::model
