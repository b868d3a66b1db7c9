#include <algorithm>
#include <memory>

#include "covariance.hpp"
#include "noise_check/moment_latents.hpp"

namespace postern::infer {
namespace {

/// Moments given the prior's scale by Hamiltonian Monte Carlo, Sigma given both, the scale given Sigma. Every
/// chain has a target of its own, whose prior changes from step to step.
class LooseCovarianceKernel {
 public:
  struct State {
    std::unique_ptr<MomentTarget> target;
    MomentState moments;
    SizeMoves::Widths widths;
    model::WishartPrior prior;  ///< its scale as it is now
    model::VectorTheta theta;
  };
  struct Info {};

  LooseCovarianceKernel(const RegressionProblem& problem, const Conversation& conversation)
      : problem_(&problem), conversation_(conversation), loose_(joint_prior(problem)) {
    const MomentTarget target(problem);
    latent_ = target.latent();
    start_ = find_start(target, conversation);
  }

  [[nodiscard]] State init(Rng& rng) const {
    auto target = std::make_unique<MomentTarget>(*problem_);
    MomentState moments(*target, start_.q, start_.n);
    State state{std::move(target), std::move(moments), {}, loose_, {}};
    state.prior.loose = false;
    state.widths = SizeMoves::widths(*state.target);
    state.moments.factor = start_.factor;
    spread_out(*state.target, state.moments, rng);
    constexpr int kSettling = 30;
    for (int i = 0; i < kSettling; ++i) settle(state, rng);
    if (!start_.q.empty())
      adapt_chain(*state.target, state.moments, state.widths, rng, conversation_,
                  [&] { settle(state, rng); });
    return state;
  }
  Info step(State& state, Rng& rng) const {
    if (!start_.q.empty()) (void)move_chain(*state.target, state.moments, state.widths, rng);
    settle(state, rng);
    return {};
  }
  [[nodiscard]] std::size_t quantities() const {
    const std::size_t d = problem_->features + 1;
    return d * (d + 1) / 2 + (latent_ ? 1 : 0);
  }
  void read(const State& state, std::span<double> out) const {
    pack(state.theta, out);
    if (latent_) out.back() = state.moments.n;
  }
  void latents(const State& state, std::span<double> out, Rng& /*rng*/) const {
    tell_moments(problem_->moments, state.moments.work.moments, out);
  }

 private:
  /// Sigma given moments and scale, then the scale given Sigma.
  void settle(State& state, Rng& rng) const {
    MomentState& moments = state.moments;
    const std::size_t d = problem_->features + 1;
    (void)state.target->fill(moments.q, moments.n, moments.work);
    state.theta = draw_sigma(state.prior, moments.work.moments, moments.n, rng);
    state.prior = model::settled(loose_, model::inverse_diagonal(state.theta.root, d), rng);
    std::vector<double> scale(d);
    for (std::size_t i = 0; i < d; ++i) scale[i] = state.prior.scale[i * d + i];
    state.target->take_prior(joint_normal_prior(state.prior.weight, state.prior.degrees, scale));
    moments.refresh(*state.target);
  }

  const RegressionProblem* problem_;
  Conversation conversation_;
  model::WishartPrior loose_;
  MomentStart start_;
  bool latent_ = false;
};
static_assert(Kernel<LooseCovarianceKernel>);

}  // namespace

ChainRun draw_loose_covariance(const RegressionProblem& problem, const DriverOptions& options,
                               const Conversation& conversation) {
  return run_chains(LooseCovarianceKernel(problem, conversation), options, conversation);
}

}  // namespace postern::infer
