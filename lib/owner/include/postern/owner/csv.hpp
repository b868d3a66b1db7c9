#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "postern/model/schema.hpp"
#include "postern/owner/coded_table.hpp"
#include "postern/owner/contribution.hpp"

namespace postern::owner {

/// A CSV file whose header has been checked against the study; its records have not been looked at.
/// A record is one line, whatever is quoted (docs/decisions/csv-lines.md): a bad one spoils only itself.
class CsvFile {
 public:
  /// Reads the header only. Throws input_missing, input_unreadable, no_header, column_absent,
  /// column_repeated, and bad_option for a table of counts. `path` may be "-" for standard input; files
  /// packed by gzip or zstd are unpacked as they are read. With a bound, its column of ids must be there too.
  /// @pre the delimiter is of parse_delimiter
  CsvFile(const std::string& path, const model::Schema& schema, std::vector<std::string> wanted_columns,
          std::optional<ContributionBound> bound = std::nullopt, char delimiter = ',');
  CsvFile(CsvFile&&) noexcept;
  ~CsvFile();
  /// Whether no byte follows the header: there is no record, and none was read to know it.
  [[nodiscard]] bool is_empty() const;
  /// Reads and encodes every record, and keeps as many of each person as the bound says. Total: no record can
  /// make it fail or say anything.
  [[nodiscard]] Records read(int threads) &&;

 private:
  struct Source;
  std::unique_ptr<Source> source_;
};

/// What stands between fields: ",", ";", "|", or a tab ("tab" or "\t" as well); a comma if nothing is named.
/// Throws bad_option.
[[nodiscard]] char parse_delimiter(const std::optional<std::string>& named);

/// The names in a CSV's header line (for `postern init`, which reads nothing else). Throws what CsvFile
/// throws, and no_header for a line that looks like a record: with an empty or a repeated name, or with one
/// that is a number, a date or another usual value. Nothing of such a line is shown.
[[nodiscard]] std::vector<std::string> read_csv_header(const std::string& path, char delimiter = ',');

}  // namespace postern::owner
