#pragma once

#include <cmath>
#include <cstdint>

#include "postern/infer/kinds/number/problem.hpp"

#include "number_problems.hpp"
#include "paper_mode.hpp"

namespace postern::bs18 {

/// Exponential records, theta ~ Gamma(8, 2), of which those outside of bounds add nothing, as a problem of
/// the library: on a grid of 1/1000 the column is [0, b], what is above it is put at 0, and levels below a
/// add nothing as well.
class Redacted {
 public:
  explicit Redacted(const Bounds& wanted) {
    const long least = std::lround(wanted.a * kSteps);
    const long most = std::lround(wanted.b * kSteps);
    Rational top(most, kSteps);
    top.canonicalize();
    problem_ = infer::number_problem(
        {"exponential", {}, model::RealRange{0, top, Rational(1, kSteps), {}}, {8, 2}, model::MapTo{0}});
    for (std::int64_t& k : problem_.number.values.adds) k = k < least ? 0 : k;
    bounds_ = {(static_cast<double>(least) - 0.5) / kSteps, static_cast<double>(most) / kSteps};
  }
  /// Those that the grid has.
  [[nodiscard]] const Bounds& bounds() const { return bounds_; }
  /// y = the sum of kept records + Laplace(scale).
  [[nodiscard]] infer::NumberProblem seen(std::size_t n, double y, double scale) const {
    infer::NumberProblem out = problem_;
    out.total = infer::KnownTotal{static_cast<std::int64_t>(n)};
    out.sums = {{y * kSteps, release::DiscreteLaplace(1 / (scale * kSteps))}};
    return out;
  }

 private:
  static constexpr long kSteps = 1000;

  infer::NumberProblem problem_;
  Bounds bounds_;
};

/// The middle 95 % of what the prior predicts.
inline Bounds predicted_middle() {
  const auto quantile = [](double below) { return 2 * std::expm1(-std::log1p(-below) / 8); };
  return {quantile(0.025), quantile(0.975)};
}
/// The middle 95 % of Exp(theta).
inline Bounds true_middle(double theta) { return {-std::log1p(-0.025) / theta, -std::log1p(-0.975) / theta}; }

}  // namespace postern::bs18
