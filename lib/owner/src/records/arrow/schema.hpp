#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "postern/model/column.hpp"
#include "postern/model/schema.hpp"
#include "postern/owner/arrow_abi.hpp"

#include "type.hpp"

namespace postern::owner {

/// The names of a table's columns. They are public, as a CSV header is. Throws input_unreadable.
[[nodiscard]] std::vector<std::string> column_names(const ArrowSchema& table, const std::string& origin);

/// Where a declared column is. Throws column_absent, column_repeated.
[[nodiscard]] std::size_t find_arrow_column(const std::vector<std::string>& names, const std::string& name,
                                            const std::string& origin);

/// The type of a declared column. Throws unsupported if no value of it can be read, or none is declared:
/// booleans or numbers for categories that are none.
[[nodiscard]] ArrowType check_type(const ArrowSchema& child, const model::Column& column,
                                   const std::string& origin);

/// The type of the column that holds people's ids: any whose values can be read. Throws unsupported.
[[nodiscard]] ArrowType check_id_type(const ArrowSchema& child, const std::string& name,
                                      const std::string& origin);

/// Every column that the study declares, whether it is to be read or not. Throws as those above, and
/// bad_option for a table of counts (refuse_counts_as_records).
void check_declared_columns(const ArrowSchema& table, const model::Schema& schema,
                            const std::optional<std::string>& id_column, const std::string& origin);

/// A table that breaks off, or that breaks the interface; what its maker says of it is not passed on.
[[noreturn]] void refuse_broken_table(const std::string& origin);

}  // namespace postern::owner
