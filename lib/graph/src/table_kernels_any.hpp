// The kernels, for whatever processor the including file is compiled for. Everything has internal linkage.
// Sums are taken in the same four lanes everywhere and nothing is contracted, so that all builds agree.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "table_kernels.hpp"

namespace postern::graph {
namespace {

constexpr std::size_t kLanes = 4;

struct Lanes {
  double at[kLanes] = {};  // NOLINT(*-avoid-c-arrays): no function of another header
};

inline double sum_of(const double* x, std::size_t size) {
  if (size < 2 * kLanes) {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += x[i];
    return sum;
  }
  Lanes sums;
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) sums.at[k] += x[i + k];
  }
  double sum = (sums.at[0] + sums.at[2]) + (sums.at[1] + sums.at[3]);
  for (; i < size; ++i) sum += x[i];
  return sum;
}

inline double dot_of(const double* x, const double* y, std::size_t size) {
  if (size < 2 * kLanes) {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += x[i] * y[i];
    return sum;
  }
  Lanes sums;
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) sums.at[k] += x[i + k] * y[i + k];
  }
  double sum = (sums.at[0] + sums.at[2]) + (sums.at[1] + sums.at[3]);
  for (; i < size; ++i) sum += x[i] * y[i];
  return sum;
}

inline double max_of(const double* x, std::size_t size) {
  double most = x[0];
  std::size_t i = 1;
  if (size >= 2 * kLanes) {
    Lanes lanes;
    for (std::size_t k = 0; k < kLanes; ++k) lanes.at[k] = x[k];
    for (i = kLanes; i + kLanes <= size; i += kLanes) {
      for (std::size_t k = 0; k < kLanes; ++k) lanes.at[k] = lanes.at[k] < x[i + k] ? x[i + k] : lanes.at[k];
    }
    most = lanes.at[0];
    for (std::size_t k = 1; k < kLanes; ++k) most = most < lanes.at[k] ? lanes.at[k] : most;
  }
  for (; i < size; ++i) most = most < x[i] ? x[i] : most;
  return most;
}

/// e^x for x <= 0, to about 1 ulp; zero below -708. Powers of two times a polynomial on [-ln 2 / 2, ln 2 /
/// 2], without branches, so that compilers take several at once.
inline double exp_of_nonpositive(double x) {
  constexpr double shift = 0x1.8p52;  // adding it rounds to an integer, kept in the lowest bits
  constexpr double log2_e = 1.4426950408889634;
  constexpr double ln2_high = 0x1.62e42fefa0000p-1;
  constexpr double ln2_low = 0x1.cf79abc9e3b3ap-40;
  const double shifted = x * log2_e + shift;
  const double k = shifted - shift;
  const double r = (x - k * ln2_high) - k * ln2_low;
  double p = 1.0 / 6227020800;
  p = p * r + 1.0 / 479001600;
  p = p * r + 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = (p * r) * r + r;  // e^r - 1
  std::uint64_t bits = 0;
  std::memcpy(&bits, &shifted, sizeof bits);
  bits = (bits + 1023) << 52;
  double power = 0;
  std::memcpy(&power, &bits, sizeof power);
  const double value = power + power * p;
  return x < -708.0 ? 0.0 : value;
}

/// Calls run(first, other) for each run of the inner dimension.
template <class Run>
inline void for_runs(const TableWalk& walk, Run run) {
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

void add(const TableWalk& walk, const double* __restrict table, double* __restrict cells) {
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

void sum(const TableWalk& walk, const double* __restrict cells, double* __restrict table) {
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

void normalise_rows(double* cells, std::size_t rows, std::size_t columns, double* log_sums) {
  const std::size_t together = columns > 1024 ? 1 : 1024 / columns;  // so many rows stay at hand
  for (std::size_t begin = 0; begin < rows; begin += together) {
    const std::size_t end = begin + together < rows ? begin + together : rows;
    for (std::size_t r = begin; r < end; ++r) {
      double* row = cells + r * columns;
      const double most = max_of(row, columns);
      log_sums[r] = most;
      // A row without weight must become zeros: subtract what leaves it at minus infinity.
      const double from = most == -__builtin_huge_val() ? 0.0 : most;
      for (std::size_t i = 0; i < columns; ++i) row[i] -= from;
    }
    double* const block = cells + begin * columns;
    const std::size_t size = (end - begin) * columns;
    for (std::size_t i = 0; i < size; ++i) block[i] = exp_of_nonpositive(block[i]);
    for (std::size_t r = begin; r < end; ++r) {
      double* row = cells + r * columns;
      const double total = sum_of(row, columns);
      if (total == 0) continue;
      log_sums[r] += std::log(total);
      const double by = 1 / total;
      for (std::size_t i = 0; i < columns; ++i) row[i] *= by;
    }
  }
}

void scale_rows(double* cells, std::size_t rows, std::size_t columns, const double* by) {
  for (std::size_t r = 0; r < rows; ++r, cells += columns) {
    const double factor = by[r];
    for (std::size_t i = 0; i < columns; ++i) cells[i] *= factor;
  }
}

void row_means(const double* weights, const double* values, std::size_t rows, std::size_t columns,
               const double* sums, double* means) {
  for (std::size_t r = 0; r < rows; ++r)
    means[r] = sums[r] > 0 ? dot_of(weights + r * columns, values + r * columns, columns) / sums[r] : 0;
}

void weigh_rows(const double* __restrict weights, double* __restrict values, std::size_t rows,
                std::size_t columns, const double* shift) {
  for (std::size_t r = 0; r < rows; ++r, weights += columns, values += columns) {
    const double by = shift[r];
    for (std::size_t i = 0; i < columns; ++i) values[i] = weights[i] * (values[i] + by);
  }
}

constexpr TableKernels kTableKernels{add, sum, normalise_rows, scale_rows, row_means, weigh_rows};

}  // namespace
}  // namespace postern::graph
