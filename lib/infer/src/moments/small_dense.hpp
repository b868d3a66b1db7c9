#pragma once

#include <cmath>

#include "moments/dense.hpp"

namespace postern::infer {

// Small triangles, without allocations: general products are made for large matrices and cost several times
// as much here. Every inner loop runs down a column. Matrices have the right size already.

inline void add_multiple(double by, const double* __restrict x, double* __restrict y, int size) {
  for (int i = 0; i < size; ++i) y[i] += by * x[i];
}

/// The lower triangle L of a = L L^T, from that of a. False where a is not positive definite.
[[nodiscard]] inline bool factorise_lower(const DenseMatrix& a, DenseMatrix& lower) {
  const auto size = static_cast<int>(a.rows());
  for (int j = 0; j < size; ++j) {
    double* own = &lower(j, j);
    for (int i = j; i < size; ++i) own[i - j] = a(i, j);
    for (int k = 0; k < j; ++k) add_multiple(-lower(j, k), &lower(j, k), own, size - j);
    if (!(own[0] > 0)) return false;
    const double inverse = 1 / std::sqrt(own[0]);
    for (int i = 0; i < size - j; ++i) own[i] *= inverse;
  }
  return true;
}

/// Row i of the inverse of a lower triangle as the first i + 1 entries of column i.
inline void invert_lower(const DenseMatrix& lower, DenseMatrix& rows) {
  const auto size = static_cast<int>(lower.rows());
  for (int i = 0; i < size; ++i) {
    double* own = &rows(0, i);
    for (int j = 0; j < i; ++j) own[j] = 0;
    for (int k = 0; k < i; ++k) add_multiple(-lower(i, k), &rows(0, k), own, k + 1);
    const double inverse = 1 / lower(i, i);
    for (int j = 0; j < i; ++j) own[j] *= inverse;
    own[i] = inverse;
  }
}

/// Copies the lower triangle above the diagonal.
inline void mirror_lower(DenseMatrix& matrix) {
  const auto size = static_cast<int>(matrix.rows());
  for (int j = 0; j < size; ++j) {
    for (int i = j + 1; i < size; ++i) matrix(j, i) = matrix(i, j);
  }
}

/// Sum over i of weight(i) row_i^T row_i, rows as of invert_lower: with weights of 1 the inverse of L L^T.
inline void weigh_rows(const DenseMatrix& rows, const DenseVector& weight, DenseMatrix& out) {
  const auto size = static_cast<int>(rows.rows());
  out.setZero();
  for (int i = 0; i < size; ++i) {
    for (int b = 0; b <= i; ++b) add_multiple(weight(i) * rows(b, i), &rows(b, i), &out(b, b), i + 1 - b);
  }
  mirror_lower(out);
}

/// L L^T of a lower triangle.
inline void square_lower(const DenseMatrix& lower, DenseMatrix& out) {
  const auto size = static_cast<int>(lower.rows());
  for (int j = 0; j < size; ++j) {
    for (int i = j; i < size; ++i) out(i, j) = 0;
    for (int k = 0; k <= j; ++k) add_multiple(lower(j, k), &lower(j, k), &out(j, j), size - j);
  }
  mirror_lower(out);
}

/// The lower triangle of 2 S L, S symmetric.
inline void twice_product_lower(const DenseMatrix& symmetric, const DenseMatrix& lower, DenseMatrix& out) {
  const auto size = static_cast<int>(lower.rows());
  for (int j = 0; j < size; ++j) {
    for (int i = j; i < size; ++i) out(i, j) = 0;
    for (int k = j; k < size; ++k) add_multiple(2 * lower(k, j), &symmetric(j, k), &out(j, j), size - j);
  }
}

}  // namespace postern::infer
