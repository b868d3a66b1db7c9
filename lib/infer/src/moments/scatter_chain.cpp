#include "moments/scatter_chain.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"

#include "chains/step_tuning.hpp"

namespace postern::infer {
namespace {

constexpr double kLength = 1.6;  // about a quarter of a turn, where z is standard normal
constexpr int kMostSteps = 60;

Eigen::Map<const DenseVector> vector_of(const std::vector<double>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

/// The covariance of a chain's draws, with a factor as it was before they were seen.
class MetricRound {
 public:
  explicit MetricRound(Eigen::Index size)
      : mean_(DenseVector::Zero(size)), scatter_(DenseMatrix::Zero(size, size)) {}
  void learn(const std::vector<double>& q) {
    count_ += 1;
    const DenseVector apart = vector_of(q) - mean_;
    mean_ += apart / count_;
    scatter_.selfadjointView<Eigen::Lower>().rankUpdate(apart, (count_ - 1) / count_);
  }
  /// The old factor counts for about as many draws as there are unknowns: fewer tell of few directions.
  void improve(DenseMatrix& factor) const {
    const double old = 5 + 0.2 * static_cast<double>(mean_.size());
    DenseMatrix mixed = scatter_.selfadjointView<Eigen::Lower>();
    mixed.noalias() += old * factor * factor.transpose();
    const Eigen::LLT<DenseMatrix> llt(mixed / (count_ - 1 + old));
    if (llt.info() == Eigen::Success) factor = llt.matrixL();
  }

 private:
  double count_ = 0;
  DenseVector mean_;
  DenseMatrix scatter_;
};

/// Short adaptation undercovers silently where noise hides much: some 3000 steps are needed there.
std::size_t adaptation_unit(std::size_t unknowns) {
  constexpr std::size_t kLeast = 180;
  return std::max(kLeast, static_cast<std::size_t>(1.4 * (50 + 0.5 * static_cast<double>(unknowns))));
}

}  // namespace

ScatterChain::ScatterChain(const MomentDensity& target, const ScatterStart& start)
    : q_(start.q),
      slope_(q_.size()),
      proposal_(q_.size()),
      proposal_slope_(q_.size()),
      factor_(start.factor),
      momentum_(static_cast<Eigen::Index>(q_.size())),
      whitened_(momentum_),
      work_(target.workspace()) {
  log_density_ = target.gradient(q_, work_, slope_);
}

void ScatterChain::spread_out(const MomentDensity& target, Rng& rng) {
  const std::vector<double> start = q_;
  for (double spread = 0.5; spread > 1e-3; spread *= 0.7) {
    for (double& z : momentum_) z = spread * draw_normal(rng);
    whitened_.noalias() = factor_.triangularView<Eigen::Lower>() * momentum_;
    for (std::size_t u = 0; u < q_.size(); ++u) q_[u] = start[u] + whitened_(static_cast<int>(u));
    log_density_ = target.gradient(q_, work_, slope_);
    if (log_density_ != kMinusInfinity) return;
  }
  q_ = start;
  log_density_ = target.gradient(q_, work_, slope_);
}

double ScatterChain::take_trajectory(const MomentDensity& target, Rng& rng) {
  const double step = step_ * (0.9 + 0.2 * rng.uniform());
  const double length = kLength * (0.5 + rng.uniform());
  const int steps = std::clamp(static_cast<int>(std::lround(length / step)), 1, kMostSteps);
  for (double& p : momentum_) p = draw_normal(rng);
  const double before = log_density_ - 0.5 * momentum_.squaredNorm();
  proposal_ = q_;
  proposal_slope_ = slope_;
  double density = log_density_;
  const auto kick = [&](double amount) {
    whitened_.noalias() = factor_.triangularView<Eigen::Lower>().transpose() * vector_of(proposal_slope_);
    momentum_ += amount * whitened_;
  };
  filled_ = false;
  kick(0.5 * step);
  for (int i = 0; i < steps; ++i) {
    if (i > 0) kick(step);
    whitened_.noalias() = factor_.triangularView<Eigen::Lower>() * momentum_;
    Eigen::Map<DenseVector>(proposal_.data(), whitened_.size()) += step * whitened_;
    density = target.gradient(proposal_, work_, proposal_slope_);
    if (density == kMinusInfinity) return 0;
  }
  kick(0.5 * step);
  const double after = density - 0.5 * momentum_.squaredNorm();
  const double accepted = after >= before ? 1 : std::exp(after - before);
  if (std::isnan(accepted)) return 0;
  if (rng.uniform() < accepted) {
    std::swap(q_, proposal_);
    std::swap(slope_, proposal_slope_);
    log_density_ = density;
    filled_ = true;
  }
  return accepted;
}

/// One scale at a time, the whitened row of the target held: it takes the latent product along between "no
/// effect" and "as seen".
void ScatterChain::jump(const MomentDensity& target, Rng& rng) {
  const MomentDensity::Jumping scales = target.jumping();
  if (scales.first == scales.last) return;
  if (!filled_) (void)target.log_density(q_, work_);
  bool moved = false;
  for (int u = scales.first; u < scales.last; ++u) {
    const double old = q_[u];
    const double pick = rng.uniform();
    q_[u] += (pick < 0.4 ? 1.2 : pick < 0.8 ? 4 : 9) * draw_normal(rng);
    const double density = target.log_density_again(q_, work_);
    if (std::log(rng.uniform()) < density - log_density_) {
      log_density_ = density;
      moved = true;
    } else {
      q_[u] = old;
    }
  }
  filled_ = moved;
  if (moved) log_density_ = target.gradient(q_, work_, slope_);
}

void ScatterChain::move(const MomentDensity& target, Rng& rng) {
  (void)take_trajectory(target, rng);
  jump(target, rng);
}

void ScatterChain::round(const MomentDensity& target, std::size_t length, bool learn, Rng& rng) {
  StepTuning tuning(step_, target.accepted());
  MetricRound metric(momentum_.size());
  for (std::size_t i = 0; i < length; ++i) {
    tuning.learn(take_trajectory(target, rng));
    step_ = tuning.exploring();
    jump(target, rng);
    if (i >= length / 10) metric.learn(q_);
  }
  step_ = tuning.final();
  if (learn) metric.improve(factor_);
}

void ScatterChain::adapt(const MomentDensity& target, std::size_t times, Rng& rng,
                         const Conversation& conversation) {
  const std::size_t unit = times * adaptation_unit(q_.size());
  for (const std::size_t length : {2 * unit, 2 * unit, 4 * unit, 8 * unit}) {
    conversation.check();
    round(target, length, true, rng);
  }
}

void ScatterChain::settle(const MomentDensity& target, Rng& rng, const Conversation& conversation) {
  for (int i = 0; i < 2; ++i) {
    conversation.check();
    round(target, adaptation_unit(q_.size()), false, rng);
  }
}

const ScatterWorkspace& ScatterChain::settled(const MomentDensity& target) {
  if (!filled_) (void)target.fill(q_, work_);
  return work_;
}

}  // namespace postern::infer
