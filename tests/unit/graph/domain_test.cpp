#include "postern/graph/domain.hpp"

#include <gtest/gtest.h>

#include "postern/core/error.hpp"

namespace postern::graph {
namespace {

TEST(Domain, CountsCells) {
  EXPECT_EQ(Domain().cells(), 1U);
  const Domain domain({"smoker", "age", "cancer"}, {2, 4, 3});
  EXPECT_EQ(domain.cells(), 24U);
  EXPECT_EQ(domain.names()[1], "age");
  EXPECT_EQ(domain.sizes()[2], 3U);
}

TEST(Domain, LastVariableIsFastest) {
  const Domain domain({"a", "b", "c"}, {2, 4, 3});
  EXPECT_EQ(domain.levels_of(1), (std::vector<std::uint32_t>{0, 0, 1}));
  std::size_t cell = 0;
  for (std::uint32_t a = 0; a < 2; ++a) {
    for (std::uint32_t b = 0; b < 4; ++b) {
      for (std::uint32_t c = 0; c < 3; ++c)
        EXPECT_EQ(domain.levels_of(cell++), (std::vector<std::uint32_t>{a, b, c}));
    }
  }
}

TEST(Domain, RefusesWhatCannotBeATable) {
  const auto code = [](std::vector<std::string> names, std::vector<std::uint32_t> sizes) {
    try {
      const Domain domain(std::move(names), std::move(sizes));
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::usage;
  };
  EXPECT_EQ(code({"a"}, {0}), ErrorCode::bad_value);
  const std::uint32_t big = 0xffffffff;
  EXPECT_EQ(code({"a", "b", "c"}, {big, big, big}), ErrorCode::bad_value);
  EXPECT_EQ(code({"a", "b"}, {2}), ErrorCode::internal);
}

}  // namespace
}  // namespace postern::graph
