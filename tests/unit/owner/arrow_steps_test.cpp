// The table of steps against counting them one by one.
#include <algorithm>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "records/arrow/real.hpp"
#include "records/arrow/steps.hpp"

namespace postern::owner {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

void expect_as_counted(const std::vector<std::int64_t>& steps, std::mt19937_64& random) {
  const StepSearch search(steps);
  ASSERT_TRUE(search.ready());
  std::vector<std::int64_t> values = {kLeast, kLeast + 1, -1, 0, 1, kMost - 1, kMost};
  for (const std::int64_t step : steps) {
    values.push_back(step);
    if (step > kLeast) values.push_back(step - 1);
    if (step < kMost) values.push_back(step + 1);
  }
  for (int i = 0; i < 200; ++i) values.push_back(static_cast<std::int64_t>(random() >> random() % 64));
  for (const std::int64_t value : values) {
    const auto passed = std::count_if(steps.begin(), steps.end(), [&](auto step) { return step <= value; });
    ASSERT_EQ(search.passed(value), static_cast<std::size_t>(passed)) << value;
  }
}

TEST(StepSearch, CountsSteps) {
  std::mt19937_64 random(11);
  for (const std::vector<std::int64_t>& steps :
       {std::vector<std::int64_t>{5}, {kLeast}, {kMost}, {kLeast, kMost}, {kLeast, 0, kMost}, {-3, -2, -1}})
    expect_as_counted(steps, random);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::int64_t> steps(1, static_cast<std::int64_t>(random() >> random() % 64) - 1000);
    const std::uint64_t widest = (std::uint64_t{1} << random() % 50) + 1;
    for (std::uint64_t count = random() % 40; count > 0; --count)
      steps.push_back(steps.back() + static_cast<std::int64_t>(widest / 16 + 1 + random() % widest));
    if (std::is_sorted(steps.begin(), steps.end())) expect_as_counted(steps, random);
  }
}

TEST(StepSearch, RefusesWhatItCannotTell) {
  EXPECT_FALSE(StepSearch().ready());
  EXPECT_FALSE(StepSearch(std::vector<std::int64_t>()).ready());
  EXPECT_FALSE(StepSearch({1, 1}).ready());
  EXPECT_FALSE(StepSearch({2, 1}).ready());
  EXPECT_FALSE(StepSearch({0, 1, kMost}).ready());
}

TEST(RealOrder, IsThatOfFloats) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double rising[] = {-kInfinity, -1e300, -1.5, -1, -5e-324, 0, 5e-324, 1, 1.5, 1e300, kInfinity};
  for (const double a : rising) {
    for (const double b : rising) EXPECT_EQ(a < b, order_of(a) < order_of(b)) << a << " " << b;
  }
  EXPECT_EQ(order_of(-0.0), order_of(0.0));
  for (const double whole : {0.0, -0.0, 1.0, -7.0, 0x1p53, 0x1p62, -0x1p62, 0x1p63, 1e300, kInfinity})
    EXPECT_TRUE(is_whole(whole)) << whole;
  for (const double broken : {0.5, -0.5, 5e-324, 0x1p51 + 0.5, -1e9 - 0.25})
    EXPECT_FALSE(is_whole(broken)) << broken;
}

}  // namespace
}  // namespace postern::owner
