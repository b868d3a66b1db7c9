#pragma once

#include <memory>
#include <string>
#include <vector>

#include "postern/model/schema.hpp"
#include "postern/owner/arrow_abi.hpp"
#include "postern/owner/coded_table.hpp"

namespace postern::owner {

/// A stream of Arrow tables whose schema has been checked against the study; its records have not been
/// looked at. Every value means what its text means in a CSV file (docs/files/input.md).
class ArrowStream {
 public:
  /// Moves the stream and reads its schema. Throws input_unreadable, column_absent, column_repeated, and
  /// unsupported for a declared column whose type no value can be read from. `origin` is the file's name in
  /// messages; empty for a table in memory.
  ArrowStream(ArrowArrayStream* stream, const model::Schema& schema, std::vector<std::string> wanted_columns,
              const std::string& origin = {});
  ArrowStream(ArrowStream&&) noexcept;
  ~ArrowStream();
  /// Reads and encodes every record, some batches at a time. No record can make it fail or say anything;
  /// a stream that breaks off or breaks the interface is input_unreadable.
  [[nodiscard]] Records read(int threads) &&;

 private:
  struct Source;
  std::unique_ptr<Source> source_;
};

/// Checks the columns of a table against the study, by its schema alone. Throws as ArrowStream does.
void check_arrow_schema(const ArrowSchema& table, const model::Schema& schema, const std::string& origin);

}  // namespace postern::owner
