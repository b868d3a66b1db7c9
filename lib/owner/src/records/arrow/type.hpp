#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "postern/owner/arrow_abi.hpp"

namespace postern::owner {

/// The types that values can be read from.
struct ArrowType {
  enum class Kind {
    none,     ///< every value is null
    boolean,  ///< bits
    whole,    ///< integers of `bits` bits
    real,     ///< floats of `bits` bits
    decimal,  ///< integers of `bits` bits, in units of 10^-scale
    text,     ///< offsets of `bits` bits into one text
    views,    ///< text held by views
    look_up,  ///< indices of `bits` bits into a dictionary of `values`
  };
  Kind kind = Kind::none;
  int bits = 0;
  bool has_sign = true;
  int scale = 0;
  std::shared_ptr<const ArrowType> values;

  friend bool operator==(const ArrowType& a, const ArrowType& b);
};

/// The type of a column, or nothing if it is not one of those.
[[nodiscard]] std::optional<ArrowType> parse_arrow_type(const ArrowSchema& column);

/// The extension type of a column, if it has one: then its stored values may mean something else than they
/// say, as the months since 1970 of pandas' periods do. Nothing for those that mean what they say (JSON text,
/// booleans of eight bits).
[[nodiscard]] std::optional<std::string_view> strange_extension(const ArrowSchema& column);

/// What a type holds that is not one of those, in words of our own.
enum class ForeignType { time, nested, binary, other };
[[nodiscard]] ForeignType classify_foreign(const ArrowSchema& column);

}  // namespace postern::owner
