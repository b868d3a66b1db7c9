#include "moments/noise_term.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

bool of_two_levels(const ScatterProblem& problem, std::size_t column) {
  return column < problem.two_levels.size() && problem.two_levels[column].has_value();
}

}  // namespace

NoiseTerm::Workspace::Workspace(const NoiseTerm& term, const UnknownPlaces& places)
    : moments(DenseMatrix::Zero(places.columns + 1, places.columns + 1)),
      residual(term.size()),
      by_moment(moments) {}

NoiseTerm::NoiseTerm(const ScatterProblem& problem, const ScatterOrder& order)
    : width_(static_cast<int>(problem.width())) {
  std::vector<int> place(problem.width(), 0);
  for (std::size_t a = 0; a < order.column.size(); ++a) {
    place[order.column[a] + 1] = static_cast<int>(a) + 1;
    origin_.push_back(problem.origin_of(order.column[a]));
    if (!of_two_levels(problem, order.column[a])) bounded_.push_back(static_cast<int>(a));
  }
  const auto entry = [&](std::size_t i, std::size_t j) {
    return std::min(place[i], place[j]) * width_ + std::max(place[i], place[j]);
  };
  for (const NoisyMoment& one : problem.moments) {
    const bool laplace = one.noise.shape == MomentNoise::Shape::laplace;
    const double rate = 1 / one.noise.scale;
    seen_.push_back({entry(one.i, one.j), entry(one.k, one.l), one.value, one.weight, laplace ? rate : 0,
                     laplace ? 0 : rate * rate});
  }
  if (const auto* bound = std::get_if<LatentTotal>(&problem.total)) log_slope_ = bound->log_slope;
}

double NoiseTerm::value(const ScatterState& state, bool smooth, Workspace& work) const {
  work.moments(0, 0) = state.n;
  for (int j = 1; j < width_; ++j) {
    const double sum = state.n * (state.mean(j - 1) + origin_[j - 1]);
    work.moments(j, 0) = sum;
    for (int i = j; i < width_; ++i)
      work.moments(i, j) = state.scatter(i - 1, j - 1) + sum * (state.mean(i - 1) + origin_[i - 1]);
  }
  double sum = log_slope_ * state.n;
  const double* moments = work.moments.data();
  for (std::size_t c = 0; c < seen_.size(); ++c) {
    const Seen& one = seen_[c];
    const double t = one.value - moments[one.first] - one.weight * moments[one.second];
    work.residual[c] = t;
    sum -= smooth ? (0.25 * one.rate * one.rate + 0.5 * one.precision) * t * t
                  : one.rate * std::abs(t) + 0.5 * one.precision * t * t;
  }
  double room = 1;
  for (const int i : bounded_) {
    const double left = 1 - state.scatter(i, i) / state.n - state.mean(i) * state.mean(i);
    if (!(left > 0)) return kMinusInfinity;
    room *= left;
  }
  return sum + 0.5 * std::log(room);
}

void NoiseTerm::add_bounds(const ScatterState& state, ScatterSlope& slope) const {
  for (const int i : bounded_) {
    const double left = 1 - state.scatter(i, i) / state.n - state.mean(i) * state.mean(i);
    const double by_share = -0.5 / left;  // of G_ii / n, which stays when n alone changes
    slope.scatter(i, i) += by_share / state.n;
    slope.mean(i) += 2 * by_share * state.mean(i);
    slope.log_n -= by_share * state.scatter(i, i) / state.n;
  }
}

void NoiseTerm::slope(const ScatterState& state, bool smooth, Workspace& work, ScatterSlope& slope) const {
  work.by_moment.setZero();
  double* by_moment = work.by_moment.data();
  for (std::size_t c = 0; c < seen_.size(); ++c) {
    const Seen& one = seen_[c];
    const double t = work.residual[c];
    const double by = smooth ? (0.5 * one.rate * one.rate + one.precision) * t
                             : std::copysign(one.rate, t) + one.precision * t;
    by_moment[one.first] += by;
    by_moment[one.second] += one.weight * by;
  }
  // From entries of G to means, scatter and n: G_0i = n m_i, G_ij = S_ij + n m_i m_j, m = mean + origin.
  slope.log_n += (by_moment[0] + log_slope_) * state.n;
  for (int j = 1; j < width_; ++j) {
    double by_mean = work.by_moment(j, 0);
    const double own = state.mean(j - 1) + origin_[j - 1];
    slope.log_n += by_mean * state.n * own;
    for (int i = j; i < width_; ++i) {
      const double by = work.by_moment(i, j);
      slope.scatter(i - 1, j - 1) += 0.5 * by;
      slope.scatter(j - 1, i - 1) += 0.5 * by;
      const double other = state.mean(i - 1) + origin_[i - 1];
      by_mean += by * other;
      slope.mean(i - 1) += state.n * by * own;
      slope.log_n += by * state.n * other * own;
    }
    slope.mean(j - 1) += state.n * by_mean;
  }
  add_bounds(state, slope);
}

}  // namespace postern::infer
