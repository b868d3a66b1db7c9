#include "panel_nodes.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace postern::infer {
namespace {

constexpr std::size_t kFinest = 32;

/// Of the finest degree's places, those of a degree.
std::vector<double> places(std::size_t degree) {
  std::size_t whole = 1;  // the highest power of two not above the degree
  while (2 * whole <= degree) whole *= 2;
  const std::size_t gap = kFinest / whole;
  std::vector<double> out;
  for (std::size_t k = 0; k <= kFinest; ++k) {
    const bool extra = degree > whole && k % (2 * gap) == gap / 2;
    if (k % gap != 0 && !extra) continue;
    const double turn = (static_cast<double>(k) - 0.5 * kFinest) / kFinest;
    out.push_back(std::sin(std::numbers::pi * turn));
  }
  return out;
}

/// A square matrix, and what the same steps make of the identity (Gauss and Jordan).
class Elimination {
 public:
  explicit Elimination(std::vector<double> matrix, std::size_t size)
      : size_(size), matrix_(std::move(matrix)), inverse_(size * size, 0.0) {
    for (std::size_t i = 0; i < size; ++i) inverse_[i * size + i] = 1;
    for (std::size_t c = 0; c < size; ++c) {
      bring_up(c);
      add(c, c, 1 / matrix_[c * size + c] - 1);
      for (std::size_t r = 0; r < size; ++r) {
        if (r != c) add(r, c, -matrix_[r * size + c]);
      }
    }
  }
  [[nodiscard]] std::vector<double> inverse() && { return std::move(inverse_); }

 private:
  /// The row with the largest entry in a column, to where the column's pivot is.
  void bring_up(std::size_t c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < size_; ++r) {
      if (std::abs(matrix_[r * size_ + c]) > std::abs(matrix_[pivot * size_ + c])) pivot = r;
    }
    for (std::size_t k = 0; k < size_; ++k) {
      std::swap(matrix_[c * size_ + k], matrix_[pivot * size_ + k]);
      std::swap(inverse_[c * size_ + k], inverse_[pivot * size_ + k]);
    }
  }
  void add(std::size_t to, std::size_t row, double factor) {
    for (std::size_t k = 0; k < size_; ++k) {
      matrix_[to * size_ + k] += factor * matrix_[row * size_ + k];
      inverse_[to * size_ + k] += factor * inverse_[row * size_ + k];
    }
  }

  std::size_t size_;
  std::vector<double> matrix_;
  std::vector<double> inverse_;
};

PanelNodes make(std::size_t degree) {
  PanelNodes out{places(degree), {}};
  std::vector<double> chebyshev;
  for (const double x : out.place) {
    for (std::size_t m = 0; m <= degree; ++m)
      chebyshev.push_back(std::cos(static_cast<double>(m) * std::acos(x)));
  }
  out.inverse = Elimination(std::move(chebyshev), degree + 1).inverse();
  return out;
}

}  // namespace

std::vector<double> PanelNodes::fit(const std::vector<double>& value) const {
  const std::size_t size = place.size();
  std::vector<double> out(size, 0.0);
  for (std::size_t m = 0; m < size; ++m) {
    for (std::size_t k = 0; k < size; ++k) out[m] += inverse[m * size + k] * value[k];
  }
  return out;
}

const PanelNodes& panel_nodes(std::size_t degree) {
  static const std::array<PanelNodes, 7> kAll{make(2),  make(4),  make(8), make(12),
                                              make(16), make(24), make(32)};
  std::size_t at = 0;
  while (kAll[at].place.size() != degree + 1) ++at;
  return kAll[at];
}

}  // namespace postern::infer
