#pragma once

#include <memory>
#include <string>
#include <vector>

#include "postern/core/int128.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/schema.hpp"
#include "postern/owner/coded_table.hpp"

namespace postern::owner {

/// Pre-aggregated counts (`--counts`): a CSV with the model's columns and a last column `count`, as a GROUP
/// BY gives it. Cells that are absent count 0, repeated cells add up, empty lines are passed over. A value
/// that is not declared follows its column's policy. Any usual spelling of a whole number is a count.
/// In long form, as GROUPING SETS give it, one more column `block` names for each row the columns that it is
/// counted by ("smoker,age"), and the others' fields do not matter: all tables of a model in one file, whose
/// joint table would be too large.
class CountsTable {
 public:
  CountsTable(const std::string& path, const model::Schema& schema, std::vector<std::string> wanted_columns,
              char delimiter = ',');
  CountsTable(CountsTable&&) noexcept;
  ~CountsTable();
  /// Whether no byte follows the header. @pre nothing was read yet
  [[nodiscard]] bool is_empty() const;
  /// Reads the rows. Throws input_unreadable, with one sentence that names the file alone, if a row has
  /// another number of fields than the header or no count of at least 0, or if the total passes 10^12; in
  /// long form also if a block is none, or if two of them do not add up to the same.
  /// Privacy: called before the charge (docs/decisions/counts-before-charge.md).
  void read();
  /// Throws column_absent unless there are counts by all of these columns together. To be asked before the
  /// charge.
  void check_counted(const std::vector<std::string>& columns) const;
  [[nodiscard]] std::int64_t total() const;
  [[nodiscard]] std::vector<Int128> measure(const model::Statistic& statistic) const;

 private:
  struct Source;
  std::unique_ptr<Source> source_;
};

}  // namespace postern::owner
