#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "postern/graph/domain.hpp"
#include "postern/model/column.hpp"

namespace postern::model {

/// The declared columns, in the order of the study.
class Schema {
 public:
  Schema() = default;
  explicit Schema(std::vector<Column> columns);
  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
  /// The column, or unknown_column with the nearest declared name.
  [[nodiscard]] const Column& at(std::string_view name) const;
  /// Shape of the table over some columns.
  [[nodiscard]] graph::Domain domain(std::span<const std::string> names) const;

 private:
  std::vector<Column> columns_;
};

/// The candidate with the smallest edit distance, if any is close enough to be what was meant.
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view wanted,
                                                      std::span<const std::string> known);

}  // namespace postern::model
