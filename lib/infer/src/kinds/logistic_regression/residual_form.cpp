#include "residual_form.hpp"

#include <numeric>

namespace postern::infer {
namespace {

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

void ResidualForm::add(const Cholesky& factor, std::span<const std::size_t> places,
                       std::span<const double> base, std::span<const double> slope) {
  std::vector<double> whitened_base;
  std::vector<double> whitened_slope;
  for (const std::size_t place : places) {
    whitened_base.push_back(base[place]);
    whitened_slope.push_back(slope[place]);
  }
  factor.solve_lower(whitened_base);
  factor.solve_lower(whitened_slope);
  base_ += product(whitened_base, whitened_base);
  base_slope_ += product(whitened_base, whitened_slope);
  slope_ += product(whitened_slope, whitened_slope);
  std::vector<std::vector<double>> columns(size_, std::vector<double>(places.size(), 0.0));
  for (std::size_t i = 0; i < places.size(); ++i) columns[places[i] % size_][i] = 1;
  for (std::size_t j = 0; j < size_; ++j) {
    factor.solve_lower(columns[j]);
    shift_base_[j] += product(columns[j], whitened_base);
    shift_slope_[j] += product(columns[j], whitened_slope);
    for (std::size_t k = 0; k <= j; ++k) {
      const double one = product(columns[j], columns[k]);
      shift_[j * size_ + k] += one;
      if (k < j) shift_[k * size_ + j] += one;
    }
  }
}

double ResidualForm::at(double n, double more, std::span<const double> shift) const {
  double out = base_ + more * (2 * base_slope_ + more * slope_);
  for (std::size_t j = 0; j < size_; ++j) {
    double along = 0;
    for (std::size_t k = 0; k < size_; ++k) along += shift_[j * size_ + k] * shift[k];
    out += n * shift[j] * (n * along - 2 * (shift_base_[j] + more * shift_slope_[j]));
  }
  return out;
}

}  // namespace postern::infer
