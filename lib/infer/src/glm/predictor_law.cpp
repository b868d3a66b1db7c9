#include "predictor_law.hpp"

#include <cmath>
#include <vector>

namespace postern::infer {
namespace {

/// The trapezium rule on the line, of which a normal density makes the best there is.
struct Rule {
  static constexpr double kStep = 0.25;
  static constexpr int kReach = 28;
  std::vector<double> x, weight;
  Rule() {
    double sum = 0;
    for (int i = -kReach; i <= kReach; ++i) {
      x.push_back(kStep * i);
      weight.push_back(std::exp(-0.5 * x.back() * x.back()));
      sum += weight.back();
    }
    for (double& one : weight) one /= sum;
  }
};

Sloped operator+(const Sloped& a, const Sloped& b) {
  return {a.value + b.value, a.by_centre + b.by_centre, a.by_spread + b.by_spread};
}
Sloped operator-(const Sloped& a, const Sloped& b) {
  return {a.value - b.value, a.by_centre - b.by_centre, a.by_spread - b.by_spread};
}
Sloped operator*(const Sloped& a, const Sloped& b) {
  return {a.value * b.value, a.by_centre * b.value + a.value * b.by_centre,
          a.by_spread * b.value + a.value * b.by_spread};
}
Sloped operator*(double a, const Sloped& b) { return {a * b.value, a * b.by_centre, a * b.by_spread}; }

/// `stride`: of so many points one is taken.
TargetMoments moments_by(const MeanFunction& function, double centre, double spread, std::size_t stride) {
  static const Rule rule;
  TargetMoments out;
  for (std::size_t i = 0; i < rule.x.size(); i += stride) {
    const double x = rule.x[i];
    const MeanFunction::At at = function.at(centre + spread * x);
    const double weight = rule.weight[i] * static_cast<double>(stride);
    double power = weight;
    for (Sloped& one : out.mean) {
      one.value += power * at.mean;
      one.by_centre += power * at.mean_slope;
      one.by_spread += power * x * at.mean_slope;
      power *= x;
    }
    power = weight;
    for (Sloped& one : out.square) {
      one.value += power * at.square;
      one.by_centre += power * at.square_slope;
      one.by_spread += power * x * at.square_slope;
      power *= x;
    }
  }
  return out;
}

}  // namespace

TargetMoments target_moments(const MeanFunction& function, double centre, double spread) {
  return moments_by(function, centre, spread, 1);
}

TargetMoments quick_target_moments(const MeanFunction& function, double centre, double spread) {
  constexpr double kNarrow = 2;
  return moments_by(function, centre, spread, spread < kNarrow ? 2 : 1);
}

Leftover leftover(const TargetMoments& moments, const Extra& extra) {
  const auto& [m0, m1, m2, m3] = moments.mean;
  const auto& [s0, s1, s2] = moments.square;
  // Regressed out: 1, x and (x^2 - 1) / sqrt 2, which are orthonormal.
  const Sloped curved = m2 - m0;
  const Sloped skewed = m3 - m1;
  const Sloped bent = m3 - 3 * m1;
  const Sloped least =
      Sloped{extra.floor, 0, 0} + extra.third * (curved * curved) + extra.fourth * (bent * bent);
  Leftover out;
  out.other = s0 - m0 * m0 - m1 * m1 + least;
  out.first = out.other - 0.5 * (curved * curved);
  out.cross = s1 - m0 * m1 - m1 * m2 - 0.5 * (curved * skewed);
  out.second = s2 - m1 * m1 - m2 * m2 - 0.5 * (skewed * skewed) + least;
  return out;
}

}  // namespace postern::infer
