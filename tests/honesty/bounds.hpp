#pragma once

#include <string>
#include <vector>

namespace postern::honesty {

/// A column of real numbers in a study, its bounds so many times the values' range, about their middle.
[[nodiscard]] std::string real_column(const std::string& name, const std::vector<double>& values,
                                      double times);
/// "1.2", "4": for names.
[[nodiscard]] std::string times_text(double times);
/// "[columns.name]", quoted where TOML wants it.
[[nodiscard]] std::string column_header(const std::string& name);

}  // namespace postern::honesty
