#include "covariance.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"
#include "postern/infer/regression/chain.hpp"

// A regression of the last column on the others is a joint normal law: with Sigma ~ inverse-Wishart(v,
// diag(p)), the features' part is inverse-Wishart(v - 1, diag(p)), the target's variance given them
// inverse-gamma(v / 2, p_y / 2), and the slopes given that Normal(0, variance / p). Given the moments Sigma
// is inverse-Wishart again.

namespace postern::infer {

model::WishartPrior joint_prior(const RegressionProblem& problem) {
  const std::size_t d = problem.features + 1;
  model::WishartPrior prior{std::vector<double>(d), problem.prior.weight, problem.prior.degrees + 1,
                            std::vector<double>(d * d), problem.loose_scale};
  for (std::size_t i = 0; i + 1 < d; ++i) prior.scale[i * d + i] = problem.prior.scale[i];
  prior.scale.back() = 2 * problem.prior.rate;
  return prior;
}

model::VectorTheta draw_sigma(const model::WishartPrior& prior, const Matrix& moments, double n, Rng& rng) {
  const std::size_t d = prior.mean.size();
  model::VectorSums sums = model::no_vectors(d);
  sums.n = n;
  for (std::size_t i = 0; i < d; ++i) {
    sums.sums[i] = moments(i + 1, 0);
    for (std::size_t j = i; j < d; ++j) sums.products[model::packed_place(i, j, d)] = moments(j + 1, i + 1);
  }
  return model::draw_normal_inverse_wishart(n > 0 ? model::update(prior, sums) : prior, rng);
}

void pack(const model::VectorTheta& theta, std::span<double> out) {
  const std::size_t d = theta.mean.size();
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = i; j < d; ++j) out[model::packed_place(i, j, d)] = theta.covariance[i * d + j];
  }
}

namespace {

/// The kernel of a regression, of which the covariance is read.
class CovarianceKernel {
 public:
  struct State {
    RegressionKernel::State inner;
    std::vector<double> values;
  };
  using Info = RegressionKernel::Info;

  CovarianceKernel(const MomentTarget& target, const Conversation& conversation)
      : target_(&target), prior_(joint_prior(target.problem())), inner_(target, conversation) {}

  [[nodiscard]] State init(Rng& rng) const {
    State state{inner_.init(rng), std::vector<double>(quantities())};
    report(state, rng);
    return state;
  }
  Info step(State& state, Rng& rng) const {
    const Info info = inner_.step(state.inner, rng);
    report(state, rng);
    return info;
  }
  [[nodiscard]] std::size_t quantities() const { return packed() + (target_->latent() ? 1 : 0); }
  void read(const State& state, std::span<double> out) const {
    std::copy(state.values.begin(), state.values.end(), out.begin());
  }
  void latents(const State& state, std::span<double> out, Rng& rng) const {
    inner_.latents(state.inner, out, rng);
  }

 private:
  [[nodiscard]] std::size_t packed() const {
    const std::size_t d = target_->problem().features + 1;
    return d * (d + 1) / 2;
  }
  /// The workspace was filled when the inner kernel reported.
  void report(State& state, Rng& rng) const {
    const MomentState& moments = state.inner.moments;
    pack(draw_sigma(prior_, moments.work.moments, moments.n, rng), state.values);
    if (target_->latent()) state.values.back() = moments.n;
  }

  const MomentTarget* target_;
  model::WishartPrior prior_;
  RegressionKernel inner_;
};
static_assert(Kernel<CovarianceKernel>);

}  // namespace

RegressionPrior joint_normal_prior(double weight, double degrees, const std::vector<double>& scale) {
  RegressionPrior out;
  out.weight = weight;
  out.degrees = degrees - 1;
  out.scale.assign(scale.begin(), scale.end() - 1);
  out.precision.assign(scale.begin(), scale.end() - 1);
  out.precision.insert(out.precision.begin(), weight);
  out.shape = degrees / 2;
  out.rate = scale.back() / 2;
  return out;
}

ChainRun draw_covariance(const RegressionProblem& problem, const DriverOptions& options,
                         const Conversation& conversation) {
  if (problem.features == 0 || problem.features > kMostFeatures)
    throw Error(ErrorCode::bad_value, {"a covariance is drawn of 2 to 31 columns"});
  if (problem.loose_scale) return draw_loose_covariance(problem, options, conversation);
  const MomentTarget target(problem);
  return run_chains(CovarianceKernel(target, conversation), options, conversation);
}

ChainRun draw_plug_in_covariance(const RegressionProblem& problem, const DriverOptions& options,
                                 const Conversation& conversation) {
  const MomentTarget target(problem);
  const double n = plausible_n(target);
  MomentWorkspace work(target.width());
  (void)target.fill(plausible_moments(target, n), n, work);
  model::WishartPrior prior = joint_prior(problem);
  prior.loose = false;  // its mean
  const std::size_t d = problem.features + 1;
  const std::size_t packed = d * (d + 1) / 2;
  ChainRun run;
  run.draws.resize(options.chains);
  parallel_for(options.chains, options.threads, [&](std::size_t chain) {
    Rng rng(options.seed, static_cast<std::uint32_t>(chain), Purpose::draws);
    std::vector<double> values(packed + (target.latent() ? 1 : 0), n);
    std::vector<double>& kept = run.draws[chain];
    kept.resize(values.size() * options.draws);
    for (std::size_t i = 0; i < options.draws; ++i) {
      if (i % 64 == 0) conversation.check();
      pack(draw_sigma(prior, work.moments, n, rng), std::span(values).first(packed));
      for (std::size_t q = 0; q < values.size(); ++q) kept[q * options.draws + i] = values[q];
    }
  });
  return run;
}

}  // namespace postern::infer
