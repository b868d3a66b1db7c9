#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "postern/core/warning.hpp"
#include "postern/model/encode.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// Public records as levels of the model's columns, row-major; -1 where a field is missing.
struct Rows {
  std::size_t columns = 0;
  std::vector<std::int32_t> levels;
  std::vector<Warning> warnings;  ///< rows-undeclared, rows-clamped
  /// Where the model is of sequences, whose row each is, by a number; -1 where the id is missing.
  std::vector<std::int32_t> people = {};

  [[nodiscard]] std::size_t size() const { return columns == 0 ? 0 : levels.size() / columns; }
  [[nodiscard]] std::span<const std::int32_t> row(std::size_t i) const {
    return {levels.data() + i * columns, columns};
  }
};

/// Encodes rows to predict, one at a time. They are no one's secret: what the study does not declare is told
/// and counts as missing, whatever the study's policies make of it. Numbers beyond the bounds of a column are
/// at its first or last level, and that is told.
class RowReader {
 public:
  explicit RowReader(const model::Study& study);
  /// One field of each of `row_columns`; an absent one is missing.
  void add(std::span<const std::optional<std::string_view>> fields);
  [[nodiscard]] Rows take();

 private:
  struct Place {
    std::string name;
    model::Encoder encoder;
    std::int64_t undeclared = 0;
    std::int64_t beyond = 0;  ///< numbers outside of the declared bounds
    std::map<std::string, std::int64_t, std::less<>> others = {};
  };
  std::vector<Place> places_;
  bool sequences_;  ///< a person's id follows the model's columns
  std::map<std::string, std::int32_t, std::less<>> people_;
  Rows rows_;
};

/// The columns of rows to predict: the model's, and where that is of sequences the one of people's ids.
[[nodiscard]] std::vector<std::string> row_columns(const model::Study& study);

/// The same for columns of texts, in the order of `row_columns`; an empty one is missing in all rows. Throws
/// bad_option unless they are as many and equally long.
[[nodiscard]] Rows read_rows(const std::vector<std::vector<std::optional<std::string>>>& columns,
                             const model::Study& study);

}  // namespace postern::infer
