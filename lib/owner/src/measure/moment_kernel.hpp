#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "postern/core/int128.hpp"
#include "postern/model/schema.hpp"
#include "postern/model/statistic/moments.hpp"
#include "postern/owner/coded_table.hpp"

namespace postern::owner {

/// Sums of products of the columns of a regression, all of them in one pass over the records for all blocks:
/// numbers as 16-bit integers, a block of rows at a time, so that products of a block stay in the nearest
/// cache. The same for any number of threads.
class MomentKernel {
 public:
  MomentKernel(const Records& records, const model::Schema& schema, int threads);
  MomentKernel(const MomentKernel&) = delete;
  MomentKernel& operator=(const MomentKernel&) = delete;
  ~MomentKernel();
  /// As model::Tally defines them.
  [[nodiscard]] std::vector<Int128> measure(const model::Moments& moments);

 private:
  class Sums;
  const Sums& sums_of(const model::Moments& moments);

  const Records& records_;       // NOLINT(*-avoid-const-or-ref-data-members): outlives the kernel
  const model::Schema& schema_;  // NOLINT(*-avoid-const-or-ref-data-members): outlives the kernel
  int threads_;
  std::unique_ptr<const Sums> sums_;  ///< of the columns that were asked for last
};

}  // namespace postern::owner
