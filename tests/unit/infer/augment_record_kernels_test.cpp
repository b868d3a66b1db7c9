#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/rng.hpp"

#include "augment/record_kernels.hpp"

namespace postern::infer {
namespace {

constexpr std::size_t kLanes = RecordKernels::kLanes;

/// All that this build and this processor have.
std::vector<const RecordKernels*> every_kernels() {
  std::vector<const RecordKernels*> out{&plain_record_kernels()};
  if (&record_kernels() != out.front()) out.push_back(&record_kernels());
  return out;
}

/// What one t adds, where it is not next to an edge.
std::int32_t expected(const PlainLevels& levels, double t) {
  if (!(t >= levels.front)) return levels.below;
  if (t >= levels.back) return levels.above;
  return levels.least + static_cast<std::int32_t>((t - levels.origin) * levels.per_level);
}

/// Every fourth batch has a value next to an edge, where arithmetic must not be trusted.
void expect_levels(const PlainLevels& levels) {
  Rng rng(2, 0, Purpose::test);
  std::size_t all_found = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::array<double, kLanes> t{};
    for (double& one : t) one = 2.4 * rng.uniform() - 1.2;
    const bool doubtful = i % 4 == 0;
    const double edge = levels.origin + static_cast<double>(1 + i % 20) / levels.per_level;
    if (doubtful) t[1] = edge + 1e-8 * (rng.uniform() - 0.5);
    for (const RecordKernels* kernels : every_kernels()) {
      std::array<std::int32_t, kLanes> k{};
      const bool found = kernels->find_levels(levels, t.data(), k.data(), t.size());
      ASSERT_FALSE(found && doubtful) << t[1];
      if (!found) continue;
      ++all_found;
      for (std::size_t r = 0; r < kLanes; ++r) ASSERT_EQ(k[r], expected(levels, t[r])) << t[r];
    }
  }
  // A doubt without a cause costs a search; hardly one t in a hundred thousand has one.
  EXPECT_GE(all_found, every_kernels().size() * 14'980);
}

TEST(RecordKernels, FindLevelsWhereOutsideIsClamped) {
  expect_levels({-1.05, 10, 21, -1, 1, 1e-6, -10, -10, 10});
}

TEST(RecordKernels, FindLevelsWhereOutsideIsMapped) {
  expect_levels({-1.05, 10, 21, -1, 1, 1e-6, -10, -7, 12});
}

TEST(RecordKernels, FindLevelsOfWhatIsFarAway) {
  for (const RecordKernels* kernels : every_kernels()) {
    const PlainLevels levels{-1.05, 10, 21, -1, 1, 1e-6, -10, -10, 10};
    const std::array<double, kLanes> t{-1e120, 1e120, -3e9, 3e9};
    std::array<std::int32_t, kLanes> k{};
    ASSERT_TRUE(kernels->find_levels(levels, t.data(), k.data(), t.size()));
    EXPECT_EQ(k, (std::array<std::int32_t, kLanes>{-10, 10, -10, 10}));
  }
}

TEST(RecordKernels, SumsAreExactAndColumnsMapTheSameEverywhere) {
  Rng rng(3, 0, Purpose::test);
  for (std::size_t size = 0; size < 40; ++size) {
    std::vector<std::int32_t> a(size), b(size);
    std::vector<double> own(size), other(size);
    std::int64_t sum = 0;
    std::int64_t products = 0;
    for (std::size_t r = 0; r < size; ++r) {
      // Up to 2^21, the most that a column adds.
      a[r] = static_cast<std::int32_t>(rng() >> 42) - (1 << 21);
      b[r] = static_cast<std::int32_t>(rng() >> 42) - (1 << 21);
      own[r] = draw_normal(rng);
      other[r] = draw_normal(rng);
      sum += a[r];
      products += std::int64_t{a[r]} * b[r];
    }
    const ColumnMap map{1.5, -0.75, 0.25, 1.0};
    for (const RecordKernels* kernels : every_kernels()) {
      EXPECT_EQ(kernels->sum(a.data(), size), sum);
      EXPECT_EQ(kernels->sum_products(a.data(), b.data(), size), products);
      std::vector<double> x(size);
      kernels->map_column(map, own.data(), other.data(), x.data(), size);
      for (std::size_t r = 0; r < size; ++r)
        EXPECT_EQ(x[r], std::clamp(map.slope * own[r] + map.lean * other[r] + map.shift, -1.0, 1.0));
    }
  }
}

}  // namespace
}  // namespace postern::infer
