#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "postern/core/int128.hpp"
#include "postern/model/measurement.hpp"
#include "postern/owner/coded_table.hpp"

namespace postern::owner {

/// The statistic of every block, exactly: what its definition (model::Tally) adds up to over the records. One
/// pass over the records counts all that can be told from counts.
[[nodiscard]] std::vector<std::vector<Int128>> measure(const Records& records, const model::Schema& schema,
                                                       const model::Measurement& measurement, int threads);

/// Tables that were counted, for measurements of the same records in later rounds. Wiped when done.
class KeptCounts {
 public:
  /// Counts those that are not there yet, in one pass.
  void count(const std::vector<std::vector<std::string>>& tables, const Records& records,
             const model::Schema& schema, int threads);
  /// Row-major; of no columns: the number of records. @pre counted
  [[nodiscard]] std::span<const std::int64_t> of(const std::vector<std::string>& columns) const;

 private:
  std::map<std::vector<std::string>, Wiped<std::int64_t>> counts_;
};

/// The same, with what was counted before. @pre `kept` is of these records
[[nodiscard]] std::vector<std::vector<Int128>> measure(const Records& records, const model::Schema& schema,
                                                       const model::Measurement& measurement, int threads,
                                                       KeptCounts& kept);

}  // namespace postern::owner
