#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "postern/model/schema.hpp"
#include "postern/owner/coded_table.hpp"
#include "postern/owner/contribution.hpp"
#include "postern/owner/records_format.hpp"

namespace postern::owner {

/// A Parquet or Arrow IPC file, or a folder of them, whose columns have been checked against the study; no
/// record has been looked at. Only the wanted columns are read, some batches at a time, so that files may be
/// larger than memory. Files of a folder may differ in the order, number and types of their columns as long
/// as each has all that the study declares; nothing is cast.
class ArrowFiles {
 public:
  /// A folder is searched with its subfolders; names that begin with a dot or an underscore are passed over,
  /// and every other file must be of the format, or of one that its suffix tells. Throws unsupported (no
  /// plugin, or a type that no value can be read from), input_missing, input_unreadable, column_absent,
  /// column_repeated.
  ArrowFiles(const std::string& path, std::optional<TableFormat> format, const model::Schema& schema,
             const std::vector<std::string>& wanted_columns, const std::optional<ContributionBound>& bound,
             int threads);
  ArrowFiles(ArrowFiles&&) noexcept;
  ~ArrowFiles();
  /// Whether the files themselves state that they have no rows; false where one of them does not tell.
  [[nodiscard]] bool is_empty() const;
  /// Reads and encodes every record of every file, in the order of their names. No record can make it fail
  /// or say anything; a file that breaks off is input_unreadable.
  [[nodiscard]] Records read() &&;

 private:
  struct Source;
  std::unique_ptr<Source> source_;
};

}  // namespace postern::owner
