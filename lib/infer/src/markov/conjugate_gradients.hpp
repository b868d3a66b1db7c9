#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

namespace postern::infer::markov {

inline double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Solves H x = rhs from x as it is, for a symmetric positive H, with a diagonal that is near to it: until
/// the residual is `relative` times what it is at 0, or `most` steps are taken. apply(v, out) is out = H v.
template <class Apply>
int conjugate_gradients(Apply&& apply, std::span<const double> diagonal, std::span<const double> rhs,
                        std::span<double> x, double relative, int most) {
  const std::size_t size = rhs.size();
  std::vector<double> r(rhs.begin(), rhs.end());
  std::vector<double> p(size);
  std::vector<double> hp(size);
  const auto scaled = [&](const std::vector<double>& v) {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += v[i] * v[i] / diagonal[i];
    return sum;
  };
  const double goal = relative * relative * scaled(r);
  if (std::ranges::any_of(x, [](double v) { return v != 0; })) {
    apply(std::span<const double>(x), std::span<double>(hp));
    for (std::size_t i = 0; i < size; ++i) r[i] -= hp[i];
  }
  double rho = scaled(r);
  for (std::size_t i = 0; i < size; ++i) p[i] = r[i] / diagonal[i];
  int steps = 0;
  while (steps < most && rho > goal) {
    apply(std::span<const double>(p), std::span<double>(hp));
    ++steps;
    const double curvature = dot(p, hp);
    if (!(curvature > 0)) break;
    const double by = rho / curvature;
    for (std::size_t i = 0; i < size; ++i) {
      x[i] += by * p[i];
      r[i] -= by * hp[i];
    }
    const double next = scaled(r);
    const double turn = next / rho;
    rho = next;
    for (std::size_t i = 0; i < size; ++i) p[i] = r[i] / diagonal[i] + turn * p[i];
  }
  return steps;
}

}  // namespace postern::infer::markov
