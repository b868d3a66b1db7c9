#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace postern::model {

/// The raw text of one field of one record. It can be encoded and nothing else: no printing, no conversion,
/// so an error message built from a record does not compile.
class Field {
 public:
  explicit Field(std::string_view bytes) : bytes_(bytes) {}

 private:
  friend class Encoder;
  std::string_view bytes_;
};

/// The raw fields of many records, held as places in one text; as closed as Field.
/// Field f of record i ends before ends[firsts[i] + f]; it begins at starts[i] if f = 0, else one byte behind
/// the end of the field before it. A field that begins with a quote ends with another; neither belongs to it.
/// @pre kPadding bytes can be read before and behind every field.
class FieldBlock {
 public:
  static constexpr std::size_t kPadding = 16;
  FieldBlock(const char* text, std::span<const std::uint32_t> starts, std::span<const std::uint32_t> firsts,
             std::span<const std::uint32_t> ends)
      : text_(text), starts_(starts), firsts_(firsts), ends_(ends) {}
  [[nodiscard]] std::size_t records() const { return starts_.size(); }

 private:
  friend class Encoder;
  const char* text_;
  std::span<const std::uint32_t> starts_;
  std::span<const std::uint32_t> firsts_;
  std::span<const std::uint32_t> ends_;
};

}  // namespace postern::model
