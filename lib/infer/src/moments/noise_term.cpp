#include "moments/noise_term.hpp"

#include <cmath>

#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

bool of_two_levels(const ScatterProblem& problem, std::size_t column) {
  return column < problem.two_levels.size() && problem.two_levels[column].has_value();
}

}  // namespace

NoiseTerm::NoiseTerm(const ScatterProblem& problem, const ScatterOrder& order) {
  std::vector<int> place(problem.width(), 0);
  for (std::size_t a = 0; a < order.column.size(); ++a) {
    place[order.column[a] + 1] = static_cast<int>(a) + 1;
    if (!of_two_levels(problem, order.column[a])) bounded_.push_back(static_cast<int>(a));
  }
  for (const NoisyMoment& one : problem.moments) {
    const bool laplace = one.noise.shape == MomentNoise::Shape::laplace;
    const double rate = 1 / one.noise.scale;
    seen_.push_back({place[one.i], place[one.j], place[one.k], place[one.l], one.value, one.weight,
                     laplace ? rate : 0, laplace ? 0 : rate * rate});
  }
  if (const auto* bound = std::get_if<LatentTotal>(&problem.total)) log_slope_ = bound->log_slope;
}

double NoiseTerm::moment(const ScatterState& state, int i, int j) {
  if (i == 0 && j == 0) return state.n;
  if (i == 0 || j == 0) return state.n * state.mean(i + j - 1);
  return state.scatter(i - 1, j - 1) + state.n * state.mean(i - 1) * state.mean(j - 1);
}

double NoiseTerm::residual(const ScatterState& state, const Seen& one) {
  double out = one.value - moment(state, one.i, one.j);
  if (one.weight != 0) out -= one.weight * moment(state, one.k, one.l);
  return out;
}

double NoiseTerm::value(const ScatterState& state, bool smooth) const {
  double sum = log_slope_ * state.n;
  for (const Seen& one : seen_) {
    const double t = residual(state, one);
    if (smooth && one.rate > 0) {
      sum -= 0.25 * one.rate * one.rate * t * t;
    } else {
      sum -= one.rate * std::abs(t) + 0.5 * one.precision * t * t;
    }
  }
  double room = 1;
  for (const int i : bounded_) {
    const double left = 1 - state.scatter(i, i) / state.n - state.mean(i) * state.mean(i);
    if (!(left > 0)) return kMinusInfinity;
    room *= left;
  }
  return sum + 0.5 * std::log(room);
}

void NoiseTerm::add(const ScatterState& state, int i, int j, double by_moment, ScatterSlope& slope) {
  if (i == 0 && j == 0) {
    slope.log_n += by_moment * state.n;
    return;
  }
  const double scaled = by_moment * state.n;
  if (i == 0 || j == 0) {
    slope.mean(i + j - 1) += scaled;
    slope.log_n += scaled * state.mean(i + j - 1);
    return;
  }
  const int a = i - 1;
  const int b = j - 1;
  slope.scatter(a, b) += 0.5 * by_moment;
  slope.scatter(b, a) += 0.5 * by_moment;
  slope.mean(a) += scaled * state.mean(b);
  slope.mean(b) += scaled * state.mean(a);
  slope.log_n += scaled * state.mean(a) * state.mean(b);
}

void NoiseTerm::slope(const ScatterState& state, bool smooth, ScatterSlope& slope) const {
  for (const Seen& one : seen_) {
    const double t = residual(state, one);
    const double by = smooth && one.rate > 0 ? 0.5 * one.rate * one.rate * t
                                             : std::copysign(one.rate, t) + one.precision * t;
    add(state, one.i, one.j, by, slope);
    if (one.weight != 0) add(state, one.k, one.l, one.weight * by, slope);
  }
  for (const int i : bounded_) {
    const double left = 1 - state.scatter(i, i) / state.n - state.mean(i) * state.mean(i);
    const double by_share = -0.5 / left;  // of G_ii / n, which stays when n alone changes
    slope.scatter(i, i) += by_share / state.n;
    slope.mean(i) += 2 * by_share * state.mean(i);
    slope.log_n -= by_share * state.scatter(i, i) / state.n;
  }
  slope.log_n += log_slope_ * state.n;
}

void NoiseTerm::latent(const ScatterState& state, std::span<double> out) const {
  for (std::size_t c = 0; c < seen_.size(); ++c) out[c] = seen_[c].value - residual(state, seen_[c]);
}

}  // namespace postern::infer
