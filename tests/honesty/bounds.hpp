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
/// A column of categories, the first of which stands for what is missing.
[[nodiscard]] std::string category_column(const std::string& name, const std::vector<std::string>& levels);

}  // namespace postern::honesty
