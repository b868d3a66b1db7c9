#include "matrix.hpp"

#include <algorithm>
#include <cmath>

namespace postern::infer {

bool factorise(Matrix& matrix, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    double* row = matrix.row(i);
    for (std::size_t j = 0; j < i; ++j) {
      const double* other = matrix.row(j);
      double sum = row[j];
      for (std::size_t k = 0; k < j; ++k) sum -= row[k] * other[k];
      row[j] = sum / other[j];
    }
    double pivot = row[i];
    for (std::size_t k = 0; k < i; ++k) pivot -= row[k] * row[k];
    if (!(pivot > 0) || !std::isfinite(pivot)) return false;
    row[i] = std::sqrt(pivot);
  }
  return true;
}

void invert_factor(const Matrix& factor, std::size_t size, Matrix& inverse) {
  for (std::size_t i = 0; i < size; ++i) {
    double* out = inverse.row(i);
    const double* row = factor.row(i);
    std::fill(out, out + i, 0.0);
    for (std::size_t k = 0; k < i; ++k) {
      const double* above = inverse.row(k);
      const double f = row[k];
      for (std::size_t j = 0; j <= k; ++j) out[j] -= f * above[j];
    }
    const double pivot = 1 / row[i];
    for (std::size_t j = 0; j < i; ++j) out[j] *= pivot;
    out[i] = pivot;
  }
}

Matrix factor_of_inverse(const Matrix& factor) {
  const std::size_t size = factor.size();
  Matrix inverse(size);
  invert_factor(factor, size, inverse);
  Matrix out(size);
  for (std::size_t k = 0; k < size; ++k) {
    const double* row = inverse.row(k);
    for (std::size_t i = 0; i <= k; ++i) {
      for (std::size_t j = 0; j <= i; ++j) out(i, j) += row[i] * row[j];
    }
  }
  // Rounding can cost a pivot its sign; a factor of the inverse's diagonal is a metric as well, a worse one.
  Matrix tried = out;
  if (factorise(tried, size)) return tried;
  Matrix diagonal(size);
  for (std::size_t i = 0; i < size; ++i) diagonal(i, i) = std::sqrt(out(i, i));
  return diagonal;
}

void multiply(const Matrix& factor, std::span<const double> v, std::span<double> out) {
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double* row = factor.row(i);
    double sum = 0;
    for (std::size_t j = 0; j <= i; ++j) sum += row[j] * v[j];
    out[i] = sum;
  }
}

void multiply_transposed(const Matrix& factor, std::span<const double> v, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double* row = factor.row(i);
    const double f = v[i];
    for (std::size_t j = 0; j <= i; ++j) out[j] += f * row[j];
  }
}

}  // namespace postern::infer
