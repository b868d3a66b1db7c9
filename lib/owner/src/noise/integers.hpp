#pragma once

#include "postern/core/int128.hpp"
#include "postern/core/rational.hpp"

namespace postern::owner {

[[nodiscard]] inline Integer to_integer(Uint128 value) {
  Integer out = static_cast<unsigned long>(value >> 64);
  out <<= 64;
  out += static_cast<unsigned long>(value);
  return out;
}

/// @pre 0 <= value < 2^128
[[nodiscard]] inline Uint128 to_uint128(const Integer& value) {
  const Integer high = value >> 64;
  const Integer low = value - (high << 64);
  return static_cast<Uint128>(high.get_ui()) << 64 | low.get_ui();
}

}  // namespace postern::owner
