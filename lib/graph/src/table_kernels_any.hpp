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

using Four = double __attribute__((vector_size(32)));
using FourBits = std::uint64_t __attribute__((vector_size(32)));

struct Range {
  double least = 0;
  double most = 0;
};

inline Range range_of(const double* x, std::size_t size) {
  Range out{x[0], x[0]};
  std::size_t i = 1;
  if (size >= 2 * kLanes) {
    Four least;
    std::memcpy(&least, x, sizeof least);
    Four most = least;
    for (i = kLanes; i + kLanes <= size; i += kLanes) {
      Four here;
      std::memcpy(&here, x + i, sizeof here);
      least = here < least ? here : least;
      most = most < here ? here : most;
    }
    out = {least[0], most[0]};
    for (std::size_t k = 1; k < kLanes; ++k) {
      out.least = least[k] < out.least ? least[k] : out.least;
      out.most = out.most < most[k] ? most[k] : out.most;
    }
  }
  for (; i < size; ++i) {
    out.least = x[i] < out.least ? x[i] : out.least;
    out.most = out.most < x[i] ? x[i] : out.most;
  }
  return out;
}

/// x becomes e^(x - from), for four x <= from, to about 1 ulp; zero below -708. Powers of two times a
/// polynomial on
/// [-ln 2 / 2, ln 2 / 2].
inline void exp_less(double* four, double from) {
  constexpr double shift = 0x1.8p52;  // adding it rounds to an integer, kept in the lowest bits
  constexpr double log2_e = 1.4426950408889634;
  constexpr double ln2_high = 0x1.62e42fefa0000p-1;
  constexpr double ln2_low = 0x1.cf79abc9e3b3ap-40;
  Four x;
  std::memcpy(&x, four, sizeof x);
  x -= from;
  const Four shifted = x * log2_e + shift;
  const Four k = shifted - shift;
  const Four r = (x - k * ln2_high) - k * ln2_low;
  Four p = r * (1.0 / 6227020800) + 1.0 / 479001600;
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
  FourBits bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  bits = (bits + 1023) << 52;
  Four power;
  std::memcpy(&power, &bits, sizeof power);
  const Four value = x < -708.0 ? Four{} : power + power * p;
  std::memcpy(four, &value, sizeof value);
}

inline void exp_less(double* x, std::size_t size, double from) {
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) exp_less(x + i, from);
  if (i == size) return;
  double rest[kLanes] = {};  // NOLINT(*-avoid-c-arrays)
  std::memcpy(rest, x + i, (size - i) * sizeof(double));
  exp_less(rest, from);
  std::memcpy(x + i, rest, (size - i) * sizeof(double));
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

/// From weights: shares, and the logarithms of sums plus what was taken out before. Compilers unroll few
/// columns.
template <std::size_t kColumns>
void divide_rows(double* cells, std::size_t rows, std::size_t size, double taken, double* log_sums) {
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

void divide_rows(double* cells, std::size_t rows, std::size_t columns, double taken, double* log_sums) {
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

void normalise_rows(double* cells, std::size_t rows, std::size_t columns, double* log_sums) {
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
