#include "postern/core/int128.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace postern {
namespace {

TEST(Int128, Writes) {
  EXPECT_EQ(to_string(Int128{0}), "0");
  EXPECT_EQ(to_string(Int128{-17}), "-17");
  EXPECT_EQ(to_string(Int128{1} << 96), "79228162514264337593543950336");
  const Int128 lowest = static_cast<Int128>(Uint128{1} << 127);
  EXPECT_EQ(to_string(lowest), "-170141183460469231731687303715884105728");
}

TEST(Int128, ReadsCanonicalTextOnly) {
  EXPECT_EQ(parse_int128("79228162514264337593543950336"), Int128{1} << 96);
  EXPECT_EQ(parse_int128("-1"), Int128{-1});
  for (const std::string_view text :
       {"", "-", "-0", "00", "01", "+1", "1.0", "1e3", " 1", "1 ", "0x1", "--1"}) {
    EXPECT_EQ(parse_int128(text), std::nullopt) << "'" << text << "'";
  }
  EXPECT_TRUE(parse_int128(std::string(38, '9')).has_value());
  EXPECT_EQ(parse_int128(std::string(39, '9')), std::nullopt);
}

TEST(Int128, RoundTrips) {
  EXPECT_TRUE(
      rc::check("parse_int128 inverts to_string below 2^120", [](std::int64_t high, std::uint64_t low) {
        const Int128 value = static_cast<Int128>(high >> 8) * (Int128{1} << 64) + static_cast<Int128>(low);
        RC_ASSERT(parse_int128(to_string(value)) == std::optional<Int128>(value));
      }));
}

}  // namespace
}  // namespace postern
