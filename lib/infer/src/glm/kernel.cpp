#include "kernel.hpp"

#include <algorithm>
#include <cmath>

#include "link.hpp"
#include "noise_check/moment_latents.hpp"
#include "slope_error.hpp"

namespace postern::infer {

GlmQuantities::GlmQuantities(const GlmProblem& problem)
    : coefficients(problem.sums.features + 1), total(coefficients) {
  error = total + (std::holds_alternative<LatentTotal>(problem.sums.total) ? 1 : 0);
  all = error + 1;
}

MomentStart find_glm_start(const GlmTarget& target, const Conversation& conversation) {
  constexpr double kFarthest = 0.9;  // from the end of y's range, as a mean
  constexpr double kWidest = 2;      // of the predictor
  const MomentTarget line(target.problem());
  const MomentStart at = find_start(line, conversation);
  const std::size_t size = target.coefficients();
  const std::size_t row = target.target_row();
  MomentStart out;
  out.n = at.n;
  out.q.assign(at.q.begin(), at.q.end() - 1);  // without the last pivot
  const double mean = std::clamp(out.q[row], -kFarthest, kFarthest);
  out.q[row] = mean;
  const double centre = link(target.mean_function(), mean);
  const double slope = std::max(target.mean_function().at(centre).mean_slope, 1e-3);
  double squares = 0;
  for (std::size_t i = 1; i < size; ++i) squares += out.q[row + i] * out.q[row + i];
  const double less = std::min(1.0, kWidest * slope / std::sqrt(squares + 1e-300));
  out.q.push_back(centre);
  for (std::size_t i = 1; i < size; ++i) {
    out.q[row + i] *= less;
    out.q.push_back(out.q[row + i] / slope);
  }
  // t follows r, up to what records leave open.
  const double open = std::min(1.0, std::sqrt((1 - mean * mean) / out.n) / slope);
  out.factor = Matrix(out.q.size());
  for (std::size_t i = 0; i < row + size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) out.factor(i, j) = at.factor(i, j);
  }
  for (std::size_t i = 0; i < size; ++i) {
    const double* from = at.factor.row(row + i);
    double follows = 0;
    for (std::size_t j = 0; j <= row + i; ++j) follows += from[j] * from[j];
    const double most = std::min(1.0 / slope, 1 / std::sqrt(follows + 1e-300));
    for (std::size_t j = 0; j <= row + i; ++j) out.factor(row + size + i, j) = most * from[j];
    out.factor(row + size + i, row + size + i) = open;
  }
  return out;
}

GlmKernel::GlmKernel(const GlmProblem& problem, const GlmTarget& target, const Conversation& conversation)
    : problem_(&problem),
      target_(&target),
      conversation_(&conversation),
      quantities_(problem),
      start_(find_glm_start(target, conversation)) {}

GlmKernel::State GlmKernel::init(Rng& rng) const {
  State state{MomentState(*target_, start_.q, start_.n), SizeMoves::widths(*target_),
              std::vector<double>(quantities_.all)};
  state.moments.factor = start_.factor;
  spread_out(*target_, state.moments, rng);
  adapt_chain(*target_, state.moments, state.widths, rng, *conversation_);
  report(state);
  return state;
}

GlmKernel::Info GlmKernel::step(State& state, Rng& rng) const {
  (void)move_chain(*target_, state.moments, state.widths, rng);
  report(state);
  return {};
}

void GlmKernel::report(State& state) const {
  MomentState& moments = state.moments;
  const std::span<double> values = state.values;
  target_->coefficients(moments.q, moments.n, moments.work, values.first(quantities_.coefficients));
  if (target_->latent()) values[quantities_.total] = moments.n;
  const std::size_t t = target_->predictor_row();
  values[quantities_.error] = slope_error(
      *problem_, target_->mean_function(), moments.work.moments, moments.n,
      std::span(moments.q).subspan(t, quantities_.coefficients), values.first(quantities_.coefficients));
}

void GlmKernel::latents(const State& state, std::span<double> out, Rng& /*rng*/) const {
  tell_moments(problem_->sums.moments, state.moments.work.moments, out);
}

void GlmKernel::read(const State& state, std::span<double> out) const {
  std::copy(state.values.begin(), state.values.end(), out.begin());
}

static_assert(Kernel<GlmKernel>);

}  // namespace postern::infer
