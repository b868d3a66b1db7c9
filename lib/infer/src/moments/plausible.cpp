#include <algorithm>
#include <cmath>

#include "moments/scatter_start.hpp"

namespace postern::infer {
namespace {

constexpr double kFarthest = 0.9;  // of a mean from 0, and the share of the room that a variance takes
constexpr double kCorrelated = 0.95;

/// Means and covariance of records that the noisy values could be of, columns in the factor's order.
struct Outline {
  DenseVector mean;
  DenseMatrix covariance;
};

double least_scale(const ScatterProblem& problem) {
  double out = HUGE_VAL;
  for (const NoisyMoment& one : problem.moments) out = std::min(out, one.noise.scale);
  return out;
}

/// Correlations are drawn in until no combination of columns is nearly constant.
void make_definite(DenseMatrix& covariance) {
  constexpr double kLeast = 0.05;
  const DenseVector inverse_sd = covariance.diagonal().cwiseSqrt().cwiseInverse();
  const DenseMatrix correlation = inverse_sd.asDiagonal() * covariance * inverse_sd.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<DenseMatrix> solver(correlation, Eigen::EigenvaluesOnly);
  const double least = solver.eigenvalues()(0);
  if (least >= kLeast) return;
  const DenseVector diagonal = covariance.diagonal();
  covariance *= (1 - kLeast) / (1 - least);
  covariance.diagonal() = diagonal;
}

double plausible_variance(const ScatterProblem& problem, const SeenMoments& seen, std::size_t column,
                          double mean, double n, double floor) {
  if (column < problem.two_levels.size() && problem.two_levels[column]) {
    const TwoLevels& levels = *problem.two_levels[column];
    return std::max(floor, (mean - levels.low) * (levels.high - mean));
  }
  const double room = 1 - mean * mean;
  const double about = mean + problem.origin_of(column);
  const double spread =
      seen.has(column + 1, column + 1) ? seen.value(column + 1, column + 1) / n - about * about : 0.5 * room;
  return std::clamp(spread, floor, std::max(floor, kFarthest * room));
}

Outline outline(const ScatterTarget& target) {
  const ScatterProblem& problem = target.problem();
  const std::vector<std::size_t>& column = target.map().order().column;
  const double n = plausible_records(problem);
  const SeenMoments seen(problem, n);
  const auto size = static_cast<int>(problem.columns);
  const double floor = std::clamp(0.5 * least_scale(problem) / n, 1e-8, 0.02);
  Outline out{DenseVector::Zero(size), DenseMatrix::Zero(size, size)};
  for (int a = 0; a < size; ++a) {
    double low = -kFarthest;
    if (column[a] < problem.two_levels.size() && problem.two_levels[column[a]])
      low = std::max(low, problem.two_levels[column[a]]->low + 1e-4);
    if (seen.has(column[a] + 1, 0))
      out.mean(a) =
          std::clamp(seen.value(column[a] + 1, 0) / n - problem.origin_of(column[a]), low, kFarthest);
    out.covariance(a, a) = plausible_variance(problem, seen, column[a], out.mean(a), n, floor);
    for (int b = 0; b < a; ++b) {
      if (!seen.has(column[a] + 1, column[b] + 1)) continue;
      const double most = kCorrelated * std::sqrt(out.covariance(a, a) * out.covariance(b, b));
      const double value =
          seen.value(column[a] + 1, column[b] + 1) / n -
          (out.mean(a) + problem.origin_of(column[a])) * (out.mean(b) + problem.origin_of(column[b]));
      out.covariance(a, b) = out.covariance(b, a) = std::clamp(value, -most, most);
    }
  }
  make_definite(out.covariance);
  return out;
}

void put_scales(const ScatterTarget& target, const Outline& at, std::span<double> q) {
  const UnknownPlaces& places = target.places();
  for (int i = 0; i < places.features && (places.learned || places.loose); ++i)
    q[places.log_sd + i] = 0.5 * std::log(at.covariance(i, i));
  if (!places.learned) return;
  q[places.log_nu] = std::log(20.0);
  q[places.log_g] = -0.5;
  for (int i = 0; i < places.features; ++i) {
    q[places.direction + i] = (at.covariance(i, 0) < 0 ? -0.8 : 0.8) + 0.01 * i;
  }
  if (!target.map().regression()) return;
  q[places.log_tau] = target.slopes().usual_log_tau();
  q[places.log_rate] = target.slopes().usual_log_rate();
}

}  // namespace

std::vector<double> plausible_unknowns(const ScatterTarget& target) {
  const UnknownPlaces& places = target.places();
  std::vector<double> q(target.unknowns());
  const Outline at = outline(target);
  put_scales(target, at, q);
  for (int i = 0; i < places.columns; ++i) q[i] = at.mean(i);
  const DenseMatrix factor = at.covariance.llt().matrixL();
  int u = places.factor;
  for (int i = 0; i < places.features; ++i) {
    const double sd = target.map().unit_of(q, i);
    for (int j = 0; j <= i; ++j, ++u) {
      const double value = target.map().order().hidden[i][j] ? factor(i, j) / sd : factor(i, j);
      q[u] = i == j ? std::log(value) : value;
    }
  }
  if (target.map().regression()) {
    const int last = places.features;
    target.map().put_row(factor.row(last).head(last).transpose(), std::log(factor(last, last)), q);
  }
  if (target.map().latent()) q[places.log_n] = std::log(plausible_records(target.problem()));
  return q;
}

}  // namespace postern::infer
