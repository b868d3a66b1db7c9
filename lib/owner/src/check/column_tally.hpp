#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "postern/model/column.hpp"
#include "postern/model/encode.hpp"
#include "postern/owner/check.hpp"

#include "check/slip.hpp"

namespace postern::owner {

/// Whose record it is, as a number; nothing where the unit is a record, or the record is nobody's.
using Whose = std::optional<std::uint64_t>;

/// Counts the fields of one column by what they are. Memory: at most kMostValues values of at most
/// kLongestValue bytes.
class ColumnTally {
 public:
  /// With `by_people`, values are told if enough people have them. The column must outlive this.
  ColumnTally(const model::Column& column, bool used, bool by_people);
  /// Each returns the field's level, or kDropped, which is what a release makes of it.
  std::uint32_t add(std::string_view field, Whose whose);
  std::uint32_t add_absent();     ///< there is no field
  std::uint32_t add_of_broken();  ///< the whole line cannot be read
  [[nodiscard]] ColumnCheck finish() const;
  [[nodiscard]] bool used() const { return used_; }

 private:
  /// Longer text can be no category.
  static constexpr std::size_t kLongestValue = 256;

  struct Seen {
    FoundSlip slip;
    std::int64_t fields = 0;
    std::vector<std::uint64_t> people;  // different ones, as many as it takes to be told
  };

  void count(model::FieldKind kind) { ++fields_[static_cast<std::size_t>(kind)]; }
  void add_undeclared(std::string_view field, Whose whose);
  [[nodiscard]] bool is_told(const Seen& seen) const;
  void add_remarks(ColumnCheck& check) const;
  void add_values(ColumnCheck& check) const;

  const model::Column& column_;
  bool used_;
  bool by_people_;
  bool categories_;
  std::unique_ptr<const model::Encoder> encoder_;  // the finder refers to it
  SlipFinder finder_;
  std::array<std::int64_t, ColumnCheck::kKinds> fields_{};
  std::array<std::int64_t, kSlips> slips_{};
  std::array<std::optional<std::uint32_t>, kSlips> meant_{};  // the first level that was meant
  std::int64_t spaced_ = 0;
  std::unordered_map<std::string, Seen> seen_;
  std::int64_t unseen_ = 0;  // fields whose value was not kept
  bool gave_up_ = false;
};

}  // namespace postern::owner
