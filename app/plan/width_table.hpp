#pragma once

#include <vector>

#include "postern/assess/width.hpp"

#include "table.hpp"

namespace postern::app {

/// Of many parameters the first, and n, which comes last.
[[nodiscard]] std::vector<assess::WidthRow> shown_rows(std::vector<assess::WidthRow> rows);
[[nodiscard]] TextTable width_table(const std::vector<assess::WidthRow>& rows);

}  // namespace postern::app
