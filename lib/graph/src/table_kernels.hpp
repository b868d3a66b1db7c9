#pragma once

#include <cstddef>

#include "postern/graph/strided.hpp"

namespace postern::graph {

/// A Strided in plain numbers, for code that is compiled for one processor.
struct TableWalk {
  Strided::Dimension inner;
  const Strided::Dimension* outer = nullptr;  ///< the fastest first
  std::size_t outer_size = 0;
};

[[nodiscard]] inline TableWalk walk_of(const Strided& strided) {
  return {strided.inner(), strided.outer().data(), strided.outer().size()};
}

/// What propagation does to whole tables. Rows are contiguous.
struct TableKernels {
  /// cells[i] += table[the walk's place at i], for every cell.
  void (*add)(const TableWalk& walk, const double* table, double* cells);
  /// table[the walk's place at i] += cells[i], for every cell.
  void (*sum)(const TableWalk& walk, const double* cells, double* table);
  /// Logarithms become shares of their row, and log_sums the logarithms of the rows' sums. What is e^-708
  /// times the largest of its row, or less, is zero; a row of minus infinities is all zeros.
  void (*normalise_rows)(double* cells, std::size_t rows, std::size_t columns, double* log_sums);
  void (*scale_rows)(double* cells, std::size_t rows, std::size_t columns, const double* by);
  /// means[r] = sum of weights times values in row r, divided by sums[r], or 0 where that is 0.
  void (*row_means)(const double* weights, const double* values, std::size_t rows, std::size_t columns,
                    const double* sums, double* means);
  /// values[i] = weights[i] (values[i] + shift of its row)
  void (*weigh_rows)(const double* weights, double* values, std::size_t rows, std::size_t columns,
                     const double* shift);
};

/// The fastest ones that this processor can run. All give the same numbers.
[[nodiscard]] const TableKernels& table_kernels();
/// For any processor.
[[nodiscard]] const TableKernels& plain_table_kernels();
/// For AVX2, or null in a build without it.
[[nodiscard]] const TableKernels* avx2_table_kernels();

}  // namespace postern::graph
