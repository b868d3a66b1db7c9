#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "postern/model/column.hpp"
#include "postern/model/encode.hpp"

namespace postern::owner {

/// Usual reasons why a field is not what its column declares.
enum class Slip : std::uint8_t {
  none,
  wrong_case,
  odd_blank,
  quotes,
  other_spelling,
  missing_word,
  date,
  comma,
  fraction,
  unit,
  not_text,
};
inline constexpr std::size_t kSlips = 11;

struct FoundSlip {
  Slip slip = Slip::none;
  std::optional<std::uint32_t> meant;  ///< the level that it probably stands for
};

/// Finds the slip of fields of one column that are undeclared or unreadable.
class SlipFinder {
 public:
  /// Both must outlive this.
  SlipFinder(const model::Column& column, const model::Encoder& encoder);
  [[nodiscard]] FoundSlip find(std::string_view field) const;

 private:
  [[nodiscard]] bool fits(std::string_view text) const;
  [[nodiscard]] FoundSlip find_category(std::string_view core) const;
  [[nodiscard]] FoundSlip find_number(std::string_view core) const;

  const model::Encoder& encoder_;
  bool categories_;
  std::unordered_map<std::string, std::uint32_t> lower_;    // labels in small letters
  std::unordered_map<std::string, std::uint32_t> numbers_;  // labels that are numbers, spelled one way
};

/// ASCII letters made small.
[[nodiscard]] std::string lower_case(std::string_view text);
/// Without spaces and tabs around it, as model::Encoder reads it.
[[nodiscard]] std::string_view without_blanks(std::string_view text);
/// Without any blank around it, such as no-break spaces, carriage returns and marks of byte order.
[[nodiscard]] std::string_view without_odd_blanks(std::string_view text);
/// 2026-07-01, 1.7.2026, 7/1/26, with or without a time behind it.
[[nodiscard]] bool is_date(std::string_view text);
/// 3,5 or 1,000.5 or 1.000,5
[[nodiscard]] bool has_number_comma(std::string_view text);

}  // namespace postern::owner
