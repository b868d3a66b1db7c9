#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/model/encode.hpp"

namespace postern::infer {

/// A column that keeps every record; and one that drops what it does not declare. Numbers beyond the bounds
/// are a matter of policy, and count as declared.
[[nodiscard]] model::Column keeping_all(model::Column column);
[[nodiscard]] model::Column keeping_declared(model::Column column);

/// Public records, counted row by row in the tables that the model's kind names. Nothing private is at stake,
/// so values that the study does not declare are told, unlike those of an owner's records.
class PublicTally {
 public:
  /// Where the model's kind counts no tables, rows are only looked at.
  explicit PublicTally(const model::Study& study);
  /// One field of each of the model's columns; an absent one is missing. Was the row kept?
  bool add(std::span<const std::optional<std::string_view>> fields);
  /// The level of a column in the row that was added last. @pre it was kept
  [[nodiscard]] std::uint32_t level(std::size_t column) const { return places_[column].level; }
  /// The counts, table after table, with public-rows-undeclared for every column that held other values.
  /// Throws bad_option where no row holds a declared value of some column.
  [[nodiscard]] PublicCounts counts() const;

 private:
  struct Place {
    const model::Column* column;
    model::Encoder encoder;
    model::Encoder probe;     ///< drops exactly what the column does not declare
    std::uint32_t level = 0;  ///< of the row at hand
    std::int64_t declared = 0;
    std::int64_t undeclared = 0;
    std::map<std::string, std::int64_t, std::less<>> others;  ///< the first different ones

    explicit Place(const model::Column& column);
    void look_at(std::string_view text);
  };
  [[nodiscard]] Warning undeclared_in(const Place& place) const;

  struct Table {
    std::vector<std::size_t> columns;  ///< places
    std::size_t first = 0;             ///< of its cells, among all
  };
  std::vector<Place> places_;
  std::vector<Table> tables_;
  std::vector<std::int64_t> cells_;
  std::int64_t rows_ = 0;
  std::int64_t kept_ = 0;
};

}  // namespace postern::infer
