// The kernels, for whatever processor the including file is compiled for. Everything has internal linkage.
#pragma once

#include <cmath>

#include "lanes_any.hpp"
#include "table_kernels.hpp"

namespace postern::graph {

/// Calls run(first, other) for each run of the inner dimension.
template <class Run>
static void for_runs(const TableWalk& walk, Run run) {
  constexpr std::size_t most = 64;
  const Strided::Dimension next = walk.outer_size > 0 ? walk.outer[0] : Strided::Dimension{};
  std::size_t at[most] = {};  // NOLINT(*-avoid-c-arrays)
  std::size_t first = 0;
  std::size_t other = 0;
  for (;;) {
    for (std::size_t i = 0; i < next.size; ++i, first += walk.inner.size) run(first, other + i * next.step);
    std::size_t d = 1;
    for (; d < walk.outer_size; ++d) {
      other += walk.outer[d].step;
      if (++at[d] < walk.outer[d].size) break;
      other -= walk.outer[d].step * walk.outer[d].size;
      at[d] = 0;
    }
    if (d >= walk.outer_size) return;
  }
}

static void add(const TableWalk& walk, const double* __restrict table, double* __restrict cells) {
  const std::size_t size = walk.inner.size;
  const std::size_t step = walk.inner.step;
  if (step == 0) {
    for_runs(walk, [=](std::size_t first, std::size_t other) {
      const double value = table[other];
      for (std::size_t i = 0; i < size; ++i) cells[first + i] += value;
    });
  } else if (step == 1) {
    for_runs(walk, [=](std::size_t first, std::size_t other) {
      for (std::size_t i = 0; i < size; ++i) cells[first + i] += table[other + i];
    });
  } else {
    for_runs(walk, [=](std::size_t first, std::size_t other) {
      for (std::size_t i = 0; i < size; ++i) cells[first + i] += table[other + i * step];
    });
  }
}

static void sum(const TableWalk& walk, const double* __restrict cells, double* __restrict table) {
  const std::size_t size = walk.inner.size;
  const std::size_t step = walk.inner.step;
  if (step == 0) {
    for_runs(walk,
             [=](std::size_t first, std::size_t other) { table[other] += sum_of(cells + first, size); });
  } else if (step == 1) {
    for_runs(walk, [=](std::size_t first, std::size_t other) {
      for (std::size_t i = 0; i < size; ++i) table[other + i] += cells[first + i];
    });
  } else {
    for_runs(walk, [=](std::size_t first, std::size_t other) {
      for (std::size_t i = 0; i < size; ++i) table[other + i * step] += cells[first + i];
    });
  }
}

/// From weights: shares, and the logarithms of sums plus what was taken out before. Compilers unroll few
/// columns.
template <std::size_t kColumns>
static void divide_rows(double* cells, std::size_t rows, std::size_t size, double taken, double* log_sums) {
  const std::size_t columns = kColumns > 0 ? kColumns : size;
  for (std::size_t r = 0; r < rows; ++r, cells += columns) {
    double total = 0;
    if constexpr (kColumns > 0) {
      for (std::size_t i = 0; i < kColumns; ++i) total += cells[i];
    } else {
      total = sum_of(cells, columns);
    }
    log_sums[r] = taken + std::log(total);
    const double by = 1 / total;
    for (std::size_t i = 0; i < columns; ++i) cells[i] *= by;
  }
}

static void divide_rows(double* cells, std::size_t rows, std::size_t columns, double taken,
                        double* log_sums) {
  switch (columns) {
    case 1:
      return divide_rows<1>(cells, rows, columns, taken, log_sums);
    case 2:
      return divide_rows<2>(cells, rows, columns, taken, log_sums);
    case 3:
      return divide_rows<3>(cells, rows, columns, taken, log_sums);
    case 4:
      return divide_rows<4>(cells, rows, columns, taken, log_sums);
    case 5:
      return divide_rows<5>(cells, rows, columns, taken, log_sums);
    case 6:
      return divide_rows<6>(cells, rows, columns, taken, log_sums);
    default:
      return divide_rows<0>(cells, rows, columns, taken, log_sums);
  }
}

static void normalise_rows(double* cells, std::size_t rows, std::size_t columns, double* log_sums) {
  // Rows may share what is taken out before the exponential if no weight is lost by that.
  constexpr double narrow = 600;
  const Range range = range_of(cells, rows * columns);
  if (range.most - range.least <= narrow) {
    const std::size_t together = columns > 1024 ? 1 : 1024 / columns;  // so many rows stay at hand
    for (std::size_t r = 0; r < rows; r += together) {
      const std::size_t count = r + together < rows ? together : rows - r;
      exp_less(cells + r * columns, count * columns, range.most);
      divide_rows(cells + r * columns, count, columns, range.most, log_sums + r);
    }
    return;
  }
  for (std::size_t r = 0; r < rows; ++r, cells += columns) {
    const double most = range_of(cells, columns).most;
    if (most == -__builtin_huge_val()) {
      log_sums[r] = most;
      for (std::size_t i = 0; i < columns; ++i) cells[i] = 0;
    } else {
      exp_less(cells, columns, most);
      divide_rows<0>(cells, 1, columns, most, log_sums + r);
    }
  }
}

static void scale_rows(double* cells, std::size_t rows, std::size_t columns, const double* by) {
  for (std::size_t r = 0; r < rows; ++r, cells += columns) {
    const double factor = by[r];
    for (std::size_t i = 0; i < columns; ++i) cells[i] *= factor;
  }
}

static void row_means(const double* weights, const double* values, std::size_t rows, std::size_t columns,
                      const double* sums, double* means) {
  for (std::size_t r = 0; r < rows; ++r)
    means[r] = sums[r] > 0 ? dot_of(weights + r * columns, values + r * columns, columns) / sums[r] : 0;
}

static void weigh_rows(const double* __restrict weights, double* __restrict values, std::size_t rows,
                       std::size_t columns, const double* shift) {
  for (std::size_t r = 0; r < rows; ++r, weights += columns, values += columns) {
    const double by = shift[r];
    for (std::size_t i = 0; i < columns; ++i) values[i] = weights[i] * (values[i] + by);
  }
}

static constexpr TableKernels kTableKernels{add, sum, normalise_rows, scale_rows, row_means, weigh_rows};

}  // namespace postern::graph
