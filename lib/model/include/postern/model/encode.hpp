#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "postern/model/column.hpp"
#include "postern/model/field.hpp"

namespace postern::model {

/// The code of a dropped record.
inline constexpr std::uint32_t kDropped = 0xFFFFFFFF;

/// What a field is before a policy settles it.
enum class FieldKind : std::uint8_t {
  declared,    ///< it has a level of its own
  missing,     ///< empty, or "nan" in a column of numbers
  below,       ///< a number under the lower bound
  above,       ///< a number over the upper bound
  undeclared,  ///< text that is no declared category
  unreadable,  ///< no number, or no whole one where it should be
};
struct Diagnosis {
  FieldKind kind;
  std::uint32_t level;  ///< as encode gives it
};

/// The per-record map of one column: field -> level. Total: every input has an answer, no input has an error.
/// Spaces and tabs around a field do not count.
/// - A category is one of the declared labels, byte for byte. Anything else is `missing` if empty, else
/// `outside`.
/// - A number is [+-] digits [. digits] [e [+-] digits], of any length, read exactly (never through a
/// double): clamp,
///   floor((2 (x - lo) / grid + 1) / 2) steps above lo (half up), then cut. In an integer column it is whole
///   ("12.0" and "1.2e1" are). A number beyond the bounds, "inf" and "-inf" included, is `outside`; "nan", an
///   empty field, a number that should be whole and is not, and any other text is `missing`.
class Encoder {
 public:
  explicit Encoder(const Column& column);  ///< throws what check_column throws
  Encoder(Encoder&&) noexcept;
  Encoder& operator=(Encoder&&) noexcept;
  ~Encoder();
  [[nodiscard]] std::uint32_t encode(Field field) const;  ///< a level, or kDropped
  /// The same, with the reason. Privacy: for what the owner alone sees; a release never asks.
  [[nodiscard]] Diagnosis diagnose(Field field) const;
  [[nodiscard]] std::uint32_t missing() const;  ///< what an absent field becomes
  [[nodiscard]] std::uint32_t levels() const;
  [[nodiscard]] bool may_drop() const;  ///< whether any field becomes kDropped

  /// The same map for field `field` of every record of a block. Level holds levels() - 1. A record that is to
  /// be dropped gets some level and copies[i] = 0; the other copies[i] are left alone.
  template <class Level>
  void encode(const FieldBlock& block, std::size_t field, Level* levels, std::uint8_t* copies) const;

 private:
  struct Tables;
  std::unique_ptr<const Tables> tables_;
};

extern template void Encoder::encode(const FieldBlock&, std::size_t, std::uint8_t*, std::uint8_t*) const;
extern template void Encoder::encode(const FieldBlock&, std::size_t, std::uint16_t*, std::uint8_t*) const;
extern template void Encoder::encode(const FieldBlock&, std::size_t, std::uint32_t*, std::uint8_t*) const;

}  // namespace postern::model
