#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "regression/matrix.hpp"

namespace postern::infer::markov {

/// A lower triangular matrix that is multiplied with again and again, from both sides: kept by rows and by
/// columns, so that both products add rows and no long sum is taken term by term.
class LowerMap {
 public:
  LowerMap() = default;
  explicit LowerMap(Matrix lower) : rows_(std::move(lower)), columns_(rows_.size()) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) columns_(j, i) = rows_(i, j);
    }
  }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] const Matrix& matrix() const { return rows_; }

  /// out = M v
  void apply(std::span<const double> v, std::span<double> out) const {
    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t j = 0; j < v.size(); ++j) {
      const double* column = columns_.row(j);
      for (std::size_t i = j; i < v.size(); ++i) out[i] += v[j] * column[i];
    }
  }
  /// out = M^T v
  void apply_transposed(std::span<const double> v, std::span<double> out) const {
    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t i = 0; i < v.size(); ++i) {
      const double* row = rows_.row(i);
      for (std::size_t j = 0; j <= i; ++j) out[j] += v[i] * row[j];
    }
  }

 private:
  Matrix rows_;
  Matrix columns_;
};

}  // namespace postern::infer::markov
