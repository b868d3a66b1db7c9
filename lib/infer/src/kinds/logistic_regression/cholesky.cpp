#include "cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace postern::infer {

Cholesky::Cholesky(std::vector<double> matrix, std::size_t size) : size_(size), lower_(std::move(matrix)) {
  double largest = 0;
  for (std::size_t i = 0; i < size; ++i) largest = std::max(largest, lower_[i * size + i]);
  const double least = std::max(1e-12 * largest, 1e-300);
  for (std::size_t i = 0; i < size; ++i) {
    double* row = lower_.data() + i * size;
    for (std::size_t j = 0; j <= i; ++j) {
      const double* other = lower_.data() + j * size;
      double sum = row[j];
      for (std::size_t k = 0; k < j; ++k) sum -= row[k] * other[k];
      row[j] = j == i ? std::sqrt(std::max(sum, least)) : sum / other[j];
    }
  }
}

void Cholesky::solve_lower(std::span<double> x) const {
  for (std::size_t i = 0; i < size_; ++i) {
    const double* row = lower_.data() + i * size_;
    double sum = x[i];
    for (std::size_t k = 0; k < i; ++k) sum -= row[k] * x[k];
    x[i] = sum / row[i];
  }
}

void Cholesky::solve_upper(std::span<double> x) const {
  for (std::size_t i = size_; i-- > 0;) {
    x[i] /= lower_[i * size_ + i];
    for (std::size_t k = 0; k < i; ++k) x[k] -= lower_[i * size_ + k] * x[i];
  }
}

void Cholesky::multiply(std::span<double> x) const {
  for (std::size_t i = size_; i-- > 0;) {
    const double* row = lower_.data() + i * size_;
    double sum = 0;
    for (std::size_t k = 0; k <= i; ++k) sum += row[k] * x[k];
    x[i] = sum;
  }
}

}  // namespace postern::infer
