#include "learned_start.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "link.hpp"

namespace postern::infer {
namespace {

constexpr double kLeastMean = 1e-4;  // of y's mean from the ends of its range, as a share of it
constexpr double kMostMean = 0.1;

/// What the noisy sums with the target say of the state's last row.
KnownSums known_sums(const LearnedGlmTarget& target, const ScatterState& state) {
  const ScatterProblem& problem = target.problem();
  const int d = target.places().features;
  const SeenMoments seen(problem, state.n);
  const std::size_t y = problem.columns;
  DenseVector sums(d + 1), noise(d + 1);
  for (int i = 0; i <= d; ++i) {
    const std::size_t place = i == 0 ? 0 : target.order().column[static_cast<std::size_t>(i - 1)] + 1;
    sums(i) = seen.has(place, y) ? seen.value(place, y) : 0;
    noise(i) = seen.has(place, y) ? seen.variance(place, y) : state.n * state.n;
  }
  KnownSums out{FewNumbers(d + 1), FewNumbers(d + 1), state.factor.diagonal().head(d) / std::sqrt(state.n)};
  out.variance(0) = noise(0) / (state.n * state.n);
  const double room = std::clamp(std::sqrt(out.variance(0)), kLeastMean, kMostMean);
  out.value(0) = std::clamp(sums(0) / state.n, -1 + room, 1 - room);
  DenseMatrix inverse = DenseMatrix::Identity(d, d);
  state.factor.topLeftCorner(d, d).triangularView<Eigen::Lower>().solveInPlace(inverse);
  const DenseVector means = inverse * state.mean.head(d);
  for (int j = 0; j < d; ++j) {
    out.value(j + 1) = (inverse.row(j).dot(sums.tail(d)) - means(j) * sums(0)) / std::sqrt(state.n);
    out.variance(j + 1) =
        (inverse.row(j).cwiseAbs2().dot(noise.tail(d)) + means(j) * means(j) * noise(0)) / state.n;
  }
  return out;
}

}  // namespace

ScatterStart find_learned_glm_start(LearnedGlmTarget& target, const Conversation& conversation) {
  ScatterTarget features(target.features());
  ScatterStart out = find_scatter_start(features, conversation);
  out.q.resize(static_cast<std::size_t>(target.places().all));
  out.q[target.places().log_tau] = target.usual_log_tau();
  ScatterWorkspace work = target.workspace();
  work.smooth = true;
  if (target.map().fill(out.q, work.state)) {
    KnownSums known = known_sums(target, work.state);
    const double centre = link(target.mean_function(), known.value(0));
    const MeanFunction::At at = target.mean_function().at(centre);
    known.slope = std::max(at.mean_slope, 1e-3);
    known.sampling = std::max(at.square - at.mean * at.mean, 1e-6) / work.state.n;
    out.q[target.places().centre] = centre;
    target.whiten(std::move(known));
  }
  const Eigen::LLT<DenseMatrix> factor(curvature_metric(target, out.q, work));
  const auto size = static_cast<int>(out.q.size());
  out.factor = factor.info() == Eigen::Success ? DenseMatrix(factor.matrixL())
                                               : DenseMatrix(0.1 * DenseMatrix::Identity(size, size));
  return out;
}

void read_coefficients(const LearnedGlmTarget& target, const ScatterWorkspace& work,
                       std::span<double> theta) {
  theta[0] = work.predictor(0);
  for (int a = 0; a < target.places().features; ++a) {
    theta[0] -= work.state.mean(a) * work.coefficients(a);
    theta[target.order().column[static_cast<std::size_t>(a)] + 1] = work.coefficients(a);
  }
}

}  // namespace postern::infer
