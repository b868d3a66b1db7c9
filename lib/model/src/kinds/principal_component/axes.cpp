#include <algorithm>
#include <cmath>
#include <numeric>

#include "postern/model/kinds/principal_component.hpp"

namespace postern::model {
namespace {

/// One rotation in the plane (p, q) that makes the entry there 0; `basis` holds the axes as rows.
void rotate(std::vector<double>& a, std::vector<double>& basis, std::size_t d, std::size_t p, std::size_t q) {
  const double off = a[p * d + q];
  if (off == 0) return;
  const double theta = (a[q * d + q] - a[p * d + p]) / (2 * off);
  const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
  const double c = 1 / std::hypot(t, 1.0);
  const double s = t * c;
  for (std::size_t k = 0; k < d; ++k) {
    const double x = a[k * d + p];
    const double y = a[k * d + q];
    a[k * d + p] = c * x - s * y;
    a[k * d + q] = s * x + c * y;
  }
  for (std::size_t k = 0; k < d; ++k) {
    const double x = a[p * d + k];
    const double y = a[q * d + k];
    a[p * d + k] = c * x - s * y;
    a[q * d + k] = s * x + c * y;
    const double u = basis[p * d + k];
    const double v = basis[q * d + k];
    basis[p * d + k] = c * u - s * v;
    basis[q * d + k] = s * u + c * v;
  }
}

double off_diagonal(const std::vector<double>& a, std::size_t d) {
  double sum = 0;
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < i; ++j) sum += a[i * d + j] * a[i * d + j];
  }
  return sum;
}

}  // namespace

PrincipalAxes principal_axes(std::vector<double> matrix, std::size_t d) {
  std::vector<double> basis(d * d, 0.0);
  double whole = 0;
  for (std::size_t i = 0; i < d; ++i) basis[i * d + i] = 1;
  for (const double entry : matrix) whole += entry * entry;
  constexpr int kMostSweeps = 50;  // five or six do
  for (int sweep = 0; sweep < kMostSweeps && off_diagonal(matrix, d) > 1e-30 * whole; ++sweep) {
    for (std::size_t p = 0; p < d; ++p) {
      for (std::size_t q = p + 1; q < d; ++q) rotate(matrix, basis, d, p, q);
    }
  }
  std::vector<std::size_t> order(d);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return matrix[a * d + a] > matrix[b * d + b]; });
  PrincipalAxes out;
  for (const std::size_t from : order) {
    out.variances.push_back(matrix[from * d + from]);
    const auto row = basis.begin() + static_cast<std::ptrdiff_t>(from * d);
    out.axes.insert(out.axes.end(), row, row + static_cast<std::ptrdiff_t>(d));
  }
  return out;
}

PrincipalAxes principal_axes(const PrincipalComponent& model, const std::vector<double>& covariance) {
  const std::size_t d = model.normal.columns.size();
  if (!model.correlation) return principal_axes(covariance, d);
  std::vector<double> scaled = covariance;
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j)
      scaled[i * d + j] /= std::sqrt(covariance[i * d + i]) * std::sqrt(covariance[j * d + j]);
  }
  return principal_axes(std::move(scaled), d);
}

std::vector<Parameter> component_parameters(std::size_t d) {
  std::vector<Parameter> out;
  for (std::size_t k = 1; k <= d; ++k)
    out.push_back({"share." + std::to_string(k), "share of the variance, axis " + std::to_string(k)});
  for (std::size_t k = 1; k <= d; ++k)
    out.push_back({"variance." + std::to_string(k), "variance along axis " + std::to_string(k)});
  return out;
}

std::vector<double> component_values(const PrincipalAxes& axes) {
  const double whole = std::accumulate(axes.variances.begin(), axes.variances.end(), 0.0);
  std::vector<double> out;
  for (const double variance : axes.variances) out.push_back(std::max(variance, 0.0) / whole);
  for (const double variance : axes.variances) out.push_back(std::max(variance, 0.0));
  return out;
}

}  // namespace postern::model
