#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "postern/owner/arrow_abi.hpp"
#include "postern/owner/coded_table.hpp"

#include "arrow_column.hpp"
#include "arrow_handle.hpp"

namespace postern::owner {

/// What to read from every batch.
struct BatchPlan {
  std::size_t children = 0;         ///< of every batch
  std::vector<std::size_t> places;  ///< of the wanted columns
  std::vector<ArrowColumn> columns;
};

/// Turns batches into columns of levels. Every row is one record, whatever it holds.
class BatchEncoder {
 public:
  explicit BatchEncoder(const BatchPlan& plan);
  /// Adds the rows of some batches, in their order; the columns do not depend on how rows are batched or on
  /// the number of threads. False if a batch breaks the interface.
  [[nodiscard]] bool add(const std::vector<ArrowHandle<ArrowArray>>& batches, int threads);
  [[nodiscard]] std::vector<CodedColumn>& columns() { return columns_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }

 private:
  struct Batch {
    const ArrowArray* array = nullptr;
    std::size_t first_row = 0;  // in the group
    std::vector<ArrowColumn::Prepared> columns;
  };
  struct Stretch {
    const Batch* batch = nullptr;
    std::size_t begin = 0;  // in the batch
    std::size_t count = 0;
  };

  [[nodiscard]] bool prepare(Batch& batch) const;
  void encode(const Stretch& stretch);
  void encode(const Stretch& stretch, std::size_t column);
  void drop_rows(std::size_t count, int threads);

  const BatchPlan& plan_;
  bool may_drop_ = false;
  std::vector<CodedColumn> columns_;
  std::size_t rows_ = 0;  // in columns_, without those of the current batches
  std::vector<std::uint8_t> keep_;
};

}  // namespace postern::owner
