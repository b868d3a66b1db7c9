#pragma once

#include <optional>
#include <string>
#include <vector>

#include "postern/model/schema.hpp"
#include "postern/owner/arrow_abi.hpp"
#include "postern/owner/coded_table.hpp"
#include "postern/owner/contribution.hpp"

#include "batches.hpp"
#include "handle.hpp"

namespace postern::owner {

/// Records from one or more tables, whose columns may differ in place and type. Bounding looks at the rows of
/// all tables together.
class ArrowReader {
 public:
  ArrowReader(const model::Schema& schema, std::vector<std::string> wanted_columns,
              std::optional<ContributionBound> bound);
  ArrowReader(const ArrowReader&) = delete;
  ArrowReader& operator=(const ArrowReader&) = delete;

  /// Makes ready for a table of this schema. Throws column_absent, column_repeated, unsupported,
  /// input_unreadable. `origin` is the file's name in messages; empty for a table in memory.
  void begin_table(const ArrowSchema& table, const std::string& origin);
  /// Makes room for so many more rows. They may turn out to be more or fewer.
  void expect_rows(std::int64_t rows);
  /// Reads every batch of that table. Throws input_unreadable.
  void read_table(ArrowHandle<ArrowArrayStream>& stream, int threads);
  /// What has been read.
  [[nodiscard]] Records finish(int threads);

 private:
  model::Schema schema_;  // the plan's columns refer to it
  std::vector<std::string> names_;
  std::optional<ContributionBound> bound_;
  std::vector<std::uint32_t> levels_;
  std::optional<BatchEncoder> encoder_;
  BatchPlan plan_;
  std::vector<ArrowType> types_;  // of the plan's columns
  std::string origin_;
};

}  // namespace postern::owner
