#include "even_grid_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace postern::infer {
namespace {

constexpr std::size_t kNeighbours = 24;
constexpr std::size_t kBefore = kNeighbours / 2 - 1;  ///< of them before the interval they serve

/// The polynomials that are 1 at one neighbour and 0 at the others, at a fraction of the interval between the
/// two in the middle.
using Basis = std::array<double, kNeighbours>;
Basis basis_at(double fraction) {
  Basis out{};
  // Barycentric weights of even points are binomial coefficients with alternating signs (Berrut & Trefethen
  // 2004).
  double binomial = 1;
  double sum = 0;
  for (std::size_t j = 0; j < kNeighbours; ++j) {
    const auto x = static_cast<double>(j);
    const double gap = fraction + static_cast<double>(kBefore) - x;
    if (gap == 0) {
      out.fill(0);
      out[j] = 1;
      return out;
    }
    out[j] = binomial / gap;
    sum += out[j];
    binomial *= -(static_cast<double>(kNeighbours) - 1 - x) / (x + 1);
  }
  for (double& value : out) value /= sum;
  return out;
}

/// Integrals of the basis over the interval: Fejer's first rule with as many points is exact.
Basis integrals() {
  constexpr std::size_t kPoints = kNeighbours;
  Basis out{};
  for (std::size_t i = 0; i < kPoints; ++i) {
    const double angle = std::numbers::pi * (static_cast<double>(i) + 0.5) / kPoints;
    double weight = 1;
    for (std::size_t k = 1; k <= kPoints / 2; ++k) {
      const auto order = static_cast<double>(2 * k);
      weight -= 2 * std::cos(order * angle) / (order * order - 1);
    }
    const Basis basis = basis_at(0.5 - 0.5 * std::cos(angle));
    for (std::size_t j = 0; j < kNeighbours; ++j) out[j] += weight / kPoints * basis[j];
  }
  return out;
}

double dot(const Basis& basis, const double* values) {
  double sum = 0;
  for (std::size_t j = 0; j < kNeighbours; ++j) sum += basis[j] * values[j];
  return sum;
}

}  // namespace

EvenGridLaw::EvenGridLaw(std::ptrdiff_t first, double step, const std::vector<double>& density)
    : first_(first - static_cast<std::ptrdiff_t>(kNeighbours)),
      step_(step),
      density_(density.size() + 2 * kNeighbours, 0.0) {
  double whole = 0;
  for (const double value : density) whole += value;
  std::transform(density.begin(), density.end(), density_.begin() + kNeighbours,
                 [&](double value) { return value / (whole * step); });
  static const Basis kIntegrals = integrals();
  cdf_.assign(density_.size(), 0.0);
  double below = 0;
  for (std::size_t i = kBefore; i + kNeighbours - kBefore < density_.size(); ++i) {
    cdf_[i] = below;
    below += step * dot(kIntegrals, density_.data() + (i - kBefore));
  }
  std::fill(cdf_.end() - static_cast<std::ptrdiff_t>(kNeighbours - kBefore), cdf_.end(), below);
}

double EvenGridLaw::cdf(double z) const {
  const double at = z / step_ - static_cast<double>(first_);
  const double left = std::floor(at);
  if (!(left >= static_cast<double>(kBefore))) return 0;
  if (left + kNeighbours - kBefore >= static_cast<double>(cdf_.size())) return 1;
  const double value = dot(basis_at(at - left), cdf_.data() + (static_cast<std::size_t>(left) - kBefore));
  return std::clamp(value, 0.0, 1.0);
}

double EvenGridLaw::quantile(double p) const {
  const auto above = static_cast<std::size_t>(std::upper_bound(cdf_.begin(), cdf_.end(), p) - cdf_.begin());
  const std::size_t left = std::clamp(above, kBefore + 1, cdf_.size() - kNeighbours + kBefore) - 1;
  return place(left) + step_ * invert_between(left, p);
}

/// Newton's steps on the cdf, kept inside what is known to hold the root.
double EvenGridLaw::invert_between(std::size_t left, double p) const {
  double low = 0;
  double high = 1;
  double fraction = 0.5;
  for (int i = 0; i < 60 && high - low > 1e-15; ++i) {
    const Basis basis = basis_at(fraction);
    const double miss = p - dot(basis, cdf_.data() + (left - kBefore));
    (miss > 0 ? low : high) = fraction;
    const double newton = fraction + miss / (step_ * dot(basis, density_.data() + (left - kBefore)));
    const bool inside = newton > low && newton < high;
    if (inside && std::abs(newton - fraction) < 1e-14) return newton;
    fraction = inside ? newton : 0.5 * (low + high);
  }
  return fraction;
}

}  // namespace postern::infer
