#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace postern::infer {

/// A square matrix, row-major. Symmetric and lower triangular ones keep their lower triangle.
class Matrix {
 public:
  Matrix() = default;
  explicit Matrix(std::size_t size) : size_(size), at_(size * size) {}
  [[nodiscard]] std::size_t size() const { return size_; }
  double& operator()(std::size_t i, std::size_t j) { return at_[i * size_ + j]; }
  double operator()(std::size_t i, std::size_t j) const { return at_[i * size_ + j]; }
  [[nodiscard]] double* row(std::size_t i) { return at_.data() + i * size_; }
  [[nodiscard]] const double* row(std::size_t i) const { return at_.data() + i * size_; }
  [[nodiscard]] std::span<double> all() { return at_; }

 private:
  std::size_t size_ = 0;
  std::vector<double> at_;
};

/// Replaces the leading `size` rows of a symmetric matrix by its lower triangular factor. False where it is
/// not positive definite; the matrix is then half done.
[[nodiscard]] bool factorise(Matrix& matrix, std::size_t size);
/// inverse = factor^-1, both lower triangular, leading `size` rows.
void invert_factor(const Matrix& factor, std::size_t size, Matrix& inverse);
/// A factor of (factor factor^T)^-1, lower triangular.
[[nodiscard]] Matrix factor_of_inverse(const Matrix& factor);

/// out = factor v and out = factor^T v, for a lower triangular factor. @pre out and v are apart
void multiply(const Matrix& factor, std::span<const double> v, std::span<double> out);
void multiply_transposed(const Matrix& factor, std::span<const double> v, std::span<double> out);

}  // namespace postern::infer
