#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "postern/owner/arrow_abi.hpp"
#include "postern/owner/coded_table.hpp"
#include "postern/owner/contribution.hpp"

#include "column.hpp"
#include "field.hpp"
#include "handle.hpp"
#include "ids.hpp"

namespace postern::owner {

/// What to read from the batches of one table.
struct BatchPlan {
  struct Ids {
    std::size_t place = 0;
    ArrowType type;
  };
  std::size_t children = 0;         ///< of every batch
  std::vector<std::size_t> places;  ///< of the wanted columns
  std::vector<ArrowColumn> columns;
  std::optional<Ids> ids;
};

/// Turns batches into columns of levels. Every row is one record, whatever it holds.
class BatchEncoder {
 public:
  /// For columns of so many levels; with a key, the digests of ids are gathered too.
  BatchEncoder(const std::vector<std::uint32_t>& levels, std::shared_ptr<const BoundingKey> key);
  /// Makes room for so many more rows.
  void reserve(std::size_t rows);
  /// Adds the rows of some batches, in their order; the columns do not depend on how rows are batched or on
  /// the number of threads. False if a batch breaks the interface. @pre the plan is for the same columns.
  [[nodiscard]] bool add(const BatchPlan& plan, const std::vector<ArrowHandle<ArrowArray>>& batches,
                         int threads);
  [[nodiscard]] std::vector<CodedColumn>& columns() { return columns_; }
  [[nodiscard]] const Wiped<PersonDigest>& people() const { return people_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }

 private:
  struct Batch {
    const ArrowArray* array = nullptr;
    std::size_t first_row = 0;  // in the group
    std::vector<ArrowColumn::Prepared> columns;
    std::optional<ArrowFields> ids;
  };
  struct Stretch {
    const Batch* batch = nullptr;
    std::size_t begin = 0;  // in the batch
    std::size_t count = 0;
  };

  [[nodiscard]] static bool prepare(const BatchPlan& plan, Batch& batch);
  void resize(std::size_t rows);
  void encode(const BatchPlan& plan, const std::vector<Batch>& group, int threads);
  void encode(const Stretch& stretch, const ArrowColumn& source, std::size_t column);
  void digest_ids(const Stretch& stretch);
  template <class Code>
  void drop_rows(Wiped<Code>& column) const;
  void drop_rows(int threads);

  std::vector<CodedColumn> columns_;
  std::shared_ptr<const BoundingKey> key_;
  Wiped<PersonDigest> people_;      // whose row it is, with a key
  std::size_t rows_ = 0;            // in columns_, without those of the current batches
  std::vector<std::uint8_t> keep_;  // which of these stay
};

}  // namespace postern::owner
