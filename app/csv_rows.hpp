#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "postern/model/study.hpp"
#include "postern/owner/public_csv.hpp"

namespace postern::app {

/// Calls take(fields) with the fields of infer::row_columns in every row of a CSV file of public records;
/// those of a row that is not whole, and of columns that are absent, are missing. Throws what read_public_csv
/// throws.
void for_each_row(const std::string& path, const model::Study& study, char delimiter,
                  owner::PublicColumns columns,
                  const std::function<void(std::span<const std::optional<std::string_view>>)>& take);

}  // namespace postern::app
