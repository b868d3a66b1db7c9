#pragma once

#include <array>
#include <cstdint>

#include "postern/core/int128.hpp"

namespace postern::owner {

/// The high word of a 64 x 64 bit product.
[[nodiscard]] inline std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>((static_cast<Uint128>(a) * b) >> 64);
}

/// e^-z in integers: z is Q8.56 below 65 (an exponent just under 64 may round past it), the result is 2^63
/// e^-z. Accuracy: |error| < 2^-57 (discrete_gaussian.md), far inside the margin of its only user.
class FixedExp {
 public:
  FixedExp();
  /// The tables are certified digits, made once.
  [[nodiscard]] static const FixedExp& tables();

  [[nodiscard]] std::uint64_t operator()(std::uint64_t z) const {
    // z = i + j/256 + s/256 with s in [0, 1); e^-(s/256) = 1 - f(s), f by its series to degree 5.
    const std::uint64_t s = z << 16;
    std::uint64_t f = kFourth - high_product(kFifth, s);
    f = kThird - high_product(f, s);
    f = kSecond - high_product(f, s);
    f = kFirst - high_product(f, s);
    const std::uint64_t rest = (std::uint64_t{1} << 63) - (high_product(f, s) >> 1);
    const std::uint64_t table = high_product(whole_[z >> 56], part_[(z >> 48) & 255]) << 1;
    return high_product(table, rest) << 1;
  }

 private:
  // 2^64 / (k! 256^k), to the nearest integer.
  static constexpr std::uint64_t kFirst = std::uint64_t{1} << 56;
  static constexpr std::uint64_t kSecond = std::uint64_t{1} << 47;
  static constexpr std::uint64_t kThird = 183251937963;  // 2^40 / 6
  static constexpr std::uint64_t kFourth = 178956971;    // 2^32 / 24
  static constexpr std::uint64_t kFifth = 139810;        // 2^24 / 120

  std::array<std::uint64_t, 65> whole_;  // 2^63 e^-i
  std::array<std::uint64_t, 256> part_;  // 2^63 e^-(j/256)
};

}  // namespace postern::owner
