#include "kernel.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"

#include "metric.hpp"
#include "noise_check/moment_latents.hpp"

namespace postern::infer {

static_assert(Kernel<RegressionKernel>);

RegressionQuantities::RegressionQuantities(const RegressionProblem& problem)
    : coefficients(problem.features + 1), sigma(problem.features + 1), total(sigma + 1) {
  outside = total + (std::holds_alternative<LatentTotal>(problem.total) ? 1 : 0);
  all = outside + 1;
}

void draw_coefficients(const MomentTarget& target, double n, const MomentWorkspace& work, Rng& rng,
                       std::span<double> beta, double& sigma) {
  const RegressionProblem& problem = target.problem();
  const std::size_t last = target.width() - 1;
  const Matrix& factor = work.target;
  const double shape = problem.prior.shape + 0.5 * (n + problem.public_records());
  // The last pivot is sqrt(2 b), b the rate of sigma2.
  sigma = factor(last, last) * std::exp(-0.5 * (std::log(2.0) + draw_log_gamma(shape, rng)));
  // factor_x^T beta = (row of the target) + sigma e.
  for (std::size_t i = last; i-- > 0;) {
    double right = factor(last, i) + sigma * draw_normal(rng);
    for (std::size_t k = i + 1; k < last; ++k) right -= factor(k, i) * beta[k];
    beta[i] = right / factor(i, i);
  }
}

double outside_share(double n, const MomentWorkspace& work) {
  if (n < 1) return 0;
  const std::size_t last = work.moments.size() - 1;
  const double mean = work.moments(last, 0) / n;
  const double sd = std::sqrt(std::max(work.moments(last, last) / n - mean * mean, 1e-300));
  return normal_cdf((-1 - mean) / sd) + normal_cdf((mean - 1) / sd);
}

RegressionKernel::RegressionKernel(const MomentTarget& target, const Conversation& conversation)
    : target_(&target),
      conversation_(conversation),
      quantities_(target.problem()),
      start_(find_start(target, conversation)) {}

double move_chain(const MomentTarget& target, MomentState& moments, SizeMoves::Widths& widths, Rng& rng) {
  const double accepted = take_trajectory(target, moments, rng);
  if (target.latent()) SizeMoves::sweep(target, moments, widths, rng);
  return accepted;
}

void spread_out(const MomentTarget& target, MomentState& moments, Rng& rng) {
  const std::vector<double> start = moments.q;
  for (double spread = 1; !start.empty() && spread > 1e-3; spread /= 2) {
    for (double& z : moments.momentum) z = spread * draw_normal(rng);
    multiply(moments.factor, moments.momentum, moments.moved);
    for (std::size_t u = 0; u < start.size(); ++u) moments.q[u] = start[u] + moments.moved[u];
    moments.refresh(target);
    if (moments.log_density != kMinusInfinity) break;
    moments.q = start;
    moments.refresh(target);
  }
}

void adapt_chain(const MomentTarget& target, MomentState& moments, SizeMoves::Widths& widths, Rng& rng,
                 const Conversation& conversation, const std::function<void()>& between) {
  const std::size_t size = moments.q.size();
  // Rounds are long enough to tell the covariances of so many unknowns.
  const std::size_t unit = 50 + size / 2;
  for (const std::size_t length : {2 * unit, 2 * unit, 4 * unit, 8 * unit, unit}) {
    conversation.check();
    StepTuning tuning(moments.step);
    MetricLearning learning(size);
    for (std::size_t i = 0; i < length; ++i) {
      tuning.learn(move_chain(target, moments, widths, rng));
      moments.step = tuning.exploring();
      if (between) between();
      if (i >= length / 10) learning.learn(moments.q);
    }
    moments.step = tuning.final();
    if (length > unit) learning.improve(moments.factor);
  }
  widths.tuning = false;
}

RegressionKernel::State RegressionKernel::init(Rng& rng) const {
  State state{MomentState(*target_, start_.q, start_.n), SizeMoves::widths(*target_),
              std::vector<double>(quantities_.all)};
  state.moments.factor = start_.factor;
  spread_out(*target_, state.moments, rng);
  if (!start_.q.empty()) adapt_chain(*target_, state.moments, state.widths, rng, conversation_);
  report(state, rng);
  return state;
}

RegressionKernel::Info RegressionKernel::step(State& state, Rng& rng) const {
  if (!state.moments.q.empty()) (void)move_chain(*target_, state.moments, state.widths, rng);
  report(state, rng);
  return {};
}

void RegressionKernel::report(State& state, Rng& rng) const {
  MomentState& moments = state.moments;
  (void)target_->fill(moments.q, moments.n, moments.work);
  const std::span<double> values = state.values;
  draw_coefficients(*target_, moments.n, moments.work, rng, values.first(quantities_.coefficients),
                    values[quantities_.sigma]);
  if (target_->latent()) values[quantities_.total] = moments.n;
  values[quantities_.outside] = outside_share(moments.n, moments.work);
}

void RegressionKernel::latents(const State& state, std::span<double> out, Rng& /*rng*/) const {
  tell_moments(target_->problem().moments, state.moments.work.moments, out);
}

void RegressionKernel::read(const State& state, std::span<double> out) const {
  std::copy(state.values.begin(), state.values.end(), out.begin());
}

}  // namespace postern::infer
