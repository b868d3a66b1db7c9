// Forms in which draws are written, and how large they are.

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/infer/posterior_files.hpp"

namespace postern::infer {
namespace {

Posterior of_size(std::size_t quantities, std::size_t draws) {
  Posterior out;
  out.names.assign(quantities, "p");
  out.chains = 4;
  out.iterations = draws;
  return out;
}

TEST(DrawsFormat, KnowsItsNames) {
  EXPECT_EQ(parse_draws_format("csv"), DrawsFormat::csv);
  EXPECT_EQ(parse_draws_format("npy"), DrawsFormat::npy);
  EXPECT_THROW((void)parse_draws_format("parquet"), Error);
}

TEST(DrawsFormat, IsWarnedOfWhereItIsLarge) {
  EXPECT_TRUE(output_warnings(of_size(10, 1000), DrawsFormat::csv).empty());
  const auto told = output_warnings(of_size(10'000, 1000), DrawsFormat::csv);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told.front().name, "large-output");
  EXPECT_NE(told.front().text.find("npy as their format (320 MB)"), std::string::npos) << told.front().text;
  EXPECT_EQ(output_warnings(of_size(10'000, 1000), DrawsFormat::npy).size(), 1U);
  EXPECT_TRUE(output_warnings(of_size(4000, 1000), DrawsFormat::npy).empty());
}

}  // namespace
}  // namespace postern::infer
