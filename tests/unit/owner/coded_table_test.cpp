#include "postern/owner/coded_table.hpp"

#include <cstring>
#include <type_traits>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"

namespace postern::owner {
namespace {

static_assert(!std::is_copy_constructible_v<Records>);
static_assert(!std::is_copy_assignable_v<Records>);
static_assert(std::is_nothrow_move_constructible_v<Records>);

TEST(CodedTable, ColumnsAreAsNarrowAsTheirLevels) {
  EXPECT_EQ(make_coded_column(1).index(), 0u);
  EXPECT_EQ(make_coded_column(256).index(), 0u);
  EXPECT_EQ(make_coded_column(257).index(), 1u);
  EXPECT_EQ(make_coded_column(65536).index(), 1u);
  EXPECT_EQ(make_coded_column(65537).index(), 2u);
}

TEST(CodedTable, RefusesLevelsThatCountingCouldNotHold) {
  const auto make = [](Wiped<std::uint8_t> codes, std::uint32_t levels, std::size_t rows) {
    std::vector<CodedColumn> columns;
    columns.emplace_back(std::move(codes));
    return Records({"a"}, {levels}, std::move(columns), rows);
  };
  EXPECT_EQ(make({0, 1, 2}, 3, 3).rows(), 3u);
  EXPECT_EQ(make({}, 3, 0).rows(), 0u);
  EXPECT_THROW((void)make({0, 3}, 3, 2), Error);
  EXPECT_THROW((void)make({0, 1}, 3, 3), Error);
  EXPECT_THROW((void)make({0, 1}, 3, 2).column("b"), Error);
}

/// Memory that outlives its owner, so that a test may look at it afterwards.
TEST(CodedTable, WipesBeforeItGivesMemoryBack) {
  alignas(8) static unsigned char arena[64];
  std::memset(arena, 0xAB, sizeof arena);
  wipe(arena + 8, 16);
  for (std::size_t i = 0; i < sizeof arena; ++i) EXPECT_EQ(arena[i], i >= 8 && i < 24 ? 0 : 0xAB) << i;
}

}  // namespace
}  // namespace postern::owner
