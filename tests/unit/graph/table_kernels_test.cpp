// Kernels for this processor and for any other: the same numbers, and those of plain arithmetic.

#include "table_kernels.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"

namespace postern::graph {
namespace {

std::vector<double> random_values(std::size_t size, double scale, Rng& rng) {
  std::vector<double> out(size);
  for (double& x : out) x = scale * draw_normal(rng);
  return out;
}

TEST(TableKernels, RowsAreNormalisedAsByTheMathematicalLibrary) {
  Rng rng(21, 0, Purpose::test);
  for (const double scale : {0.0, 1.0, 50.0, 1000.0, 1e6}) {
    for (std::size_t columns = 1; columns < 20; ++columns) {
      const std::size_t rows = 1 + draw_below(300, rng);
      std::vector<double> cells = random_values(rows * columns, scale, rng);
      if (scale == 50) {
        for (double& x : cells) x = rng.uniform() < 0.3 ? kMinusInfinity : x;
      }
      std::vector<double> got(cells);
      std::vector<double> sums(rows);
      plain_table_kernels().normalise_rows(got.data(), rows, columns, sums.data());
      for (std::size_t r = 0; r < rows; ++r) {
        const std::span<const double> row = std::span(cells).subspan(r * columns, columns);
        const double wanted = log_sum_exp(row);
        if (wanted == kMinusInfinity) {
          EXPECT_EQ(sums[r], kMinusInfinity);
          for (std::size_t i = 0; i < columns; ++i) EXPECT_EQ(got[r * columns + i], 0);
          continue;
        }
        EXPECT_NEAR(sums[r], wanted, 1e-14 * (4 + std::abs(wanted)));
        for (std::size_t i = 0; i < columns; ++i) {
          const double share = std::exp(row[i] - wanted);
          EXPECT_NEAR(got[r * columns + i], share, 1e-300 + 1e-14 * share * (4 + std::abs(wanted)));
        }
      }
    }
  }
}

TEST(TableKernels, AllProcessorsGiveTheSameNumbers) {
  const TableKernels* wide = avx2_table_kernels();
#ifdef __x86_64__
  if (wide == nullptr || __builtin_cpu_supports("avx2") == 0) GTEST_SKIP() << "no AVX2";
#else
  GTEST_SKIP() << "no AVX2";
#endif
  const TableKernels& plain = plain_table_kernels();
  Rng rng(22, 0, Purpose::test);
  const Sizes sizes{3, 5, 2, 7};
  const Variables of{2, 0, 3, 1};
  for (const Variables& in : {Variables{1}, {3, 1}, {0, 1}, {2, 3}, {}, {1, 3, 0, 2}}) {
    const Strided strided(of, in, sizes);
    const std::vector<double> table = random_values(static_cast<std::size_t>(cells_of(in, sizes)), 2, rng);
    std::vector<double> one = random_values(210, 3, rng);
    std::vector<double> two(one);
    plain.add(walk_of(strided), table.data(), one.data());
    wide->add(walk_of(strided), table.data(), two.data());
    EXPECT_EQ(one, two);
    std::vector<double> left(table);
    std::vector<double> right(table);
    plain.sum(walk_of(strided), one.data(), left.data());
    wide->sum(walk_of(strided), one.data(), right.data());
    EXPECT_EQ(left, right);
  }
  for (std::size_t columns = 1; columns < 40; ++columns) {
    const std::size_t rows = 30;
    std::vector<double> one = random_values(rows * columns, 4, rng);
    std::vector<double> two(one);
    std::vector<double> sums_one(rows);
    std::vector<double> sums_two(rows);
    plain.normalise_rows(one.data(), rows, columns, sums_one.data());
    wide->normalise_rows(two.data(), rows, columns, sums_two.data());
    EXPECT_EQ(one, two);
    EXPECT_EQ(sums_one, sums_two);
    const std::vector<double> by = random_values(rows, 1, rng);
    std::vector<double> values_one = random_values(rows * columns, 1, rng);
    std::vector<double> values_two(values_one);
    std::vector<double> means_one(rows);
    std::vector<double> means_two(rows);
    const std::vector<double> ones(rows, 1.0);
    plain.row_means(one.data(), values_one.data(), rows, columns, ones.data(), means_one.data());
    wide->row_means(one.data(), values_one.data(), rows, columns, ones.data(), means_two.data());
    EXPECT_EQ(means_one, means_two);
    plain.weigh_rows(one.data(), values_one.data(), rows, columns, by.data());
    wide->weigh_rows(one.data(), values_two.data(), rows, columns, by.data());
    EXPECT_EQ(values_one, values_two);
    plain.scale_rows(one.data(), rows, columns, by.data());
    wide->scale_rows(two.data(), rows, columns, by.data());
    EXPECT_EQ(one, two);
  }
}

}  // namespace
}  // namespace postern::graph
