#include "moments/scatter_start.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

/// Climbs the smooth density in the moments alone.
void climb(const ScatterTarget& target, std::vector<double>& q, ScatterWorkspace& work,
           const Conversation& conversation) {
  constexpr int kRounds = 6;
  constexpr int kClimbs = 10;
  const int moving = target.places().log_sd;
  std::vector<double> slope(q.size()), tried(q.size());
  double height = target.gradient(q, work, slope);
  for (int round = 0; round < kRounds; ++round) {
    conversation.check();
    const DenseMatrix metric = curvature_metric(target, q, work).topLeftCorner(moving, moving);
    const double before = height;
    double length = 1;
    for (int i = 0; i < kClimbs && length > 1e-5; ++i) {
      const DenseVector step = metric * Eigen::Map<const DenseVector>(slope.data(), moving);
      double reached = kMinusInfinity;
      for (; length > 1e-6; length *= 0.4) {
        tried = q;
        for (int u = 0; u < moving; ++u) tried[u] += length * step(u);
        reached = target.log_density(tried, work);
        if (reached > height) break;
      }
      if (!(reached > height)) break;
      q = tried;
      height = target.gradient(q, work, slope);
      length = std::min(1.0, 3 * length);
    }
    if (height - before < 0.1) break;
  }
}

/// What the noisy sums with the target say of its row, given the features' moments: value and variance.
RowWhitening whitening_at(const ScatterTarget& target, const ScatterState& state) {
  constexpr double kMostShare = 0.9;
  const ScatterProblem& problem = target.problem();
  const std::vector<std::size_t>& column = target.map().order().column;
  const int d = target.places().features;
  const SeenMoments seen(problem, state.n);
  const std::size_t y = problem.columns;  // its place in w
  DenseVector sums(d + 1), noise(d + 1);
  for (int i = 0; i <= d; ++i) {
    const std::size_t place = i == 0 ? 0 : column[i - 1] + 1;
    sums(i) = seen.has(place, y) ? seen.value(place, y) : 0;
    noise(i) = seen.has(place, y) ? seen.variance(place, y) : state.n * state.n;
  }
  // Of products about the means: sum x_i y - mean_i sum y.
  DenseMatrix inverse = DenseMatrix::Identity(d, d);
  state.factor.topLeftCorner(d, d).triangularView<Eigen::Lower>().solveInPlace(inverse);
  const DenseVector means = inverse * state.mean.head(d);
  const double spread = std::exp(2 * state.log_last) + state.row.squaredNorm();
  RowWhitening out{DenseVector(d), DenseVector(d), state.n};
  for (int j = 0; j < d; ++j) {
    const double value = (inverse.row(j).dot(sums.tail(d)) - means(j) * sums(0)) / std::sqrt(state.n);
    const double most = kMostShare * std::sqrt(spread);
    out.value(j) = std::clamp(value, -most, most);
    out.variance(j) =
        (inverse.row(j).cwiseAbs2().dot(noise.tail(d)) + means(j) * means(j) * noise(0)) / state.n;
  }
  return out;
}

}  // namespace

DenseMatrix curvature_metric(const MomentDensity& target, const std::vector<double>& q,
                             ScatterWorkspace& work) {
  constexpr double kStep = 1e-4;
  constexpr double kLeast = 0.3;
  const auto size = static_cast<int>(q.size());
  std::vector<double> base(q.size()), moved(q.size()), at = q;
  (void)target.gradient(q, work, base);
  DenseMatrix curvature(size, size);
  for (int u = 0; u < size; ++u) {
    double step = kStep;
    at[u] = q[u] + step;
    if (target.gradient(at, work, moved) == kMinusInfinity) {
      step = -kStep;
      at[u] = q[u] + step;
      (void)target.gradient(at, work, moved);
    }
    for (int v = 0; v < size; ++v) curvature(v, u) = (base[v] - moved[v]) / step;
    at[u] = q[u];
  }
  const DenseMatrix symmetric = 0.5 * (curvature + curvature.transpose());
  const Eigen::SelfAdjointEigenSolver<DenseMatrix> solver(symmetric);
  DenseVector bend = solver.eigenvalues().cwiseAbs();
  const double least = std::max(kLeast, 1e-13 * bend.maxCoeff());
  bend = bend.cwiseMax(least).cwiseInverse();
  const DenseMatrix metric = solver.eigenvectors() * bend.asDiagonal() * solver.eigenvectors().transpose();
  return 0.5 * (metric + metric.transpose());
}

ScatterStart find_scatter_start(ScatterTarget& target, const Conversation& conversation) {
  ScatterWorkspace work = target.workspace();
  work.smooth = true;
  ScatterStart out;
  out.q = plausible_unknowns(target);
  climb(target, out.q, work, conversation);
  if (target.map().regression() && target.map().fill(out.q, work.state)) {
    const DenseVector row = work.state.row;
    const double log_last = work.state.log_last;
    target.map().whiten(whitening_at(target, work.state));
    target.map().put_row(row, log_last, out.q);
  }
  const Eigen::LLT<DenseMatrix> factor(curvature_metric(target, out.q, work));
  const auto size = static_cast<int>(out.q.size());
  out.factor = factor.info() == Eigen::Success ? DenseMatrix(factor.matrixL())
                                               : DenseMatrix(0.1 * DenseMatrix::Identity(size, size));
  return out;
}

}  // namespace postern::infer
