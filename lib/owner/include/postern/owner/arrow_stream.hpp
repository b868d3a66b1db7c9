#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "postern/model/schema.hpp"
#include "postern/owner/arrow_abi.hpp"
#include "postern/owner/coded_table.hpp"
#include "postern/owner/contribution.hpp"

namespace postern::owner {

/// A stream of Arrow tables whose schema has been checked against the study; its records have not been
/// looked at. Every value means what its text means in a CSV file (docs/files/input.md).
class ArrowStream {
 public:
  /// Moves the stream and reads its schema. Throws input_unreadable, column_absent, column_repeated, and
  /// unsupported for a declared column whose type no value can be read from. With a bound, its column of ids
  /// must be there too.
  ArrowStream(ArrowArrayStream* stream, const model::Schema& schema, std::vector<std::string> wanted_columns,
              std::optional<ContributionBound> bound = std::nullopt);
  ArrowStream(ArrowStream&&) noexcept;
  ~ArrowStream();
  /// Reads and encodes every record, some batches at a time, and keeps as many of each person as the bound
  /// says. No record can make it fail or say anything; a stream that breaks off or breaks the interface is
  /// input_unreadable.
  [[nodiscard]] Records read(int threads) &&;

 private:
  struct Source;
  std::unique_ptr<Source> source_;
};

}  // namespace postern::owner
