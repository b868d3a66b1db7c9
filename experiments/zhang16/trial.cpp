#include "trial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "postern/assess/bounds/lipschitz.hpp"

#include "naive_bayes.hpp"
#include "noise_aware.hpp"
#include "noisy_tables.hpp"
#include "posterior_draw.hpp"

namespace postern::zhang16 {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr double kPrior = 1;
constexpr double kHalf = 0.5;  // the library's default prior of a network's cells
constexpr double kFair = 1e4;  // Beta(kFair, kFair) is as good as 1/2
constexpr auto kReplaceOne = model::Adjacency::replace_one;
const std::vector<std::uint32_t> kLevels(kFeatures + 1, 2);

struct Data {
  Coins truth;
  Tables train;
  std::vector<Record> test;
};

double graded(const Tables& tables, const Data& data) {
  const Coins mean = posterior_mean(tables, kPrior);
  return accuracy({&mean, 1}, data.test);
}

double graded_draws(const Data& data, std::size_t draws, double omega, double tempering, Rng& rng) {
  const CutPosterior posterior(data.train, omega, tempering);
  std::vector<Coins> drawn;
  for (std::size_t i = 0; i < draws; ++i) drawn.push_back(posterior.draw(rng));
  return accuracy(drawn, data.test);
}

double fourier(Method method, const TrialPlan& plan, const Data& data, double epsilon, Rng& rng) {
  const Coefficients exact = transform(data.train);
  if (method == Method::fourier_shrunk)
    return graded(invert(shrink(add_discrete_laplace(exact, epsilon / kFourierSensitivity, rng))), data);
  const double scale = kPrintedFourierSensitivity / epsilon;
  Coefficients noisy = add_laplace(exact, scale, rng);
  const double needed = least_increment(noisy);
  const double offered = plan.stealth_increment * scale;
  switch (method) {
    case Method::fourier_clipped:
      return graded(clip(invert(noisy), kTrain), data);
    case Method::stealth:
      return needed <= offered ? 1 : 0;
    case Method::increment:
      return needed / 4;
    case Method::fourier_stealthy:
      if (needed > offered) return kNothing;
      noisy.total += offered;
      break;
    case Method::fourier_least:
      noisy.total += needed;
      break;
    default:  // fourier_printed_t
      noisy.total += 2 * std::log(10) * kCoefficients * scale;
      break;
  }
  return graded(invert(noisy), data);
}

/// All that is asked of one release of integers.
void ask_integers(std::size_t e, bool aware, const Data& data, Rng rng, TrialResult& out) {
  const auto answer = [&](Method method) -> double& { return out[static_cast<std::size_t>(method)][e]; };
  const double rate = kEpsilons[e] / kLaplaceSensitivity;
  const Tables released = add_discrete_laplace(data.train, rate, rng);
  const Tables clipped = clip(released, kTrain);
  answer(Method::laplace_discrete) = graded(clipped, data);
  Coins fair = posterior_mean(clipped, kPrior);
  fair.one = 0.5;
  answer(Method::laplace_fair) = accuracy({&fair, 1}, data.test);
  if (!aware) return;
  const auto ours = [&](const Priors& priors) {
    return noise_aware_prediction(released, kTrain, rate, priors, data.test);
  };
  const auto plug_in = [&](double prior) { return log_scores(posterior_mean(clipped, prior), data.test); };
  const Prediction found = ours({kPrior, kPrior});
  answer(Method::noise_aware) = found.accuracy;
  answer(Method::gain) = found.log_scores.label - plug_in(kPrior).label;
  answer(Method::joint_gain) = found.log_scores.joint - plug_in(kPrior).joint;
  answer(Method::gain_half) = ours({kHalf, kHalf}).log_scores.label - plug_in(kHalf).label;
  answer(Method::noise_aware_fair) = ours({kFair, kPrior}).accuracy;
}

bool of_integers(Method method) {
  return method == Method::laplace_discrete || method == Method::noise_aware || method == Method::gain ||
         method == Method::gain_half || method == Method::joint_gain || method == Method::laplace_fair ||
         method == Method::noise_aware_fair;
}

double sampled(Method method, bool averaged, const Data& data, double epsilon, Rng& rng) {
  switch (method) {
    case Method::sampler_printed:
    case Method::sampler_printed_100: {
      const double omega = printed_omega(epsilon);
      const bool hundred = method == Method::sampler_printed_100;
      if (omega >= 0.5 || (hundred && !averaged)) return kNothing;
      return graded_draws(data, hundred ? 100 : 1, omega, 1, rng);
    }
    case Method::sampler:
      return graded_draws(data, 1, priced_omega(epsilon), 1, rng);
    case Method::sampler_10:
      return graded_draws(data, 10, priced_omega(epsilon / 10), 1, rng);
    case Method::private_map:
      return graded_draws(data, 1, omega_of(method), priced_tempering(omega_of(method), epsilon), rng);
    default:
      return graded_draws(data, 1, omega_of(method),
                          std::min(1.0, priced_tempering(omega_of(method), epsilon)), rng);
  }
}

double ask(Method method, const TrialPlan& plan, bool averaged, const Data& data, double epsilon, Rng& rng) {
  switch (method) {
    case Method::nonprivate:
      return graded(data.train, data);
    case Method::best:
      return accuracy({&data.truth, 1}, data.test);
    case Method::majority:
      return majority_share(data.test);
    case Method::laplace_continuous:
      return graded(clip(add_laplace(data.train, kLaplaceSensitivity / epsilon, rng), kTrain), data);
    case Method::laplace_add_remove:
      return graded(clip(add_discrete_laplace(data.train, 2 * epsilon / kLaplaceSensitivity, rng), kTrain),
                    data);
    case Method::fourier_clipped:
    case Method::fourier_stealthy:
    case Method::fourier_printed_t:
    case Method::fourier_least:
    case Method::fourier_shrunk:
    case Method::stealth:
    case Method::increment:
      return fourier(method, plan, data, epsilon, rng);
    default:
      return sampled(method, averaged, data, epsilon, rng);
  }
}

/// One stream for the data, one for each epsilon and method. Those that speak of one Fourier release share
/// theirs.
Rng stream(std::uint64_t seed, std::size_t index, std::size_t epsilon, Method method) {
  if (method == Method::stealth) method = Method::fourier_stealthy;
  if (method == Method::increment) method = Method::fourier_least;
  const std::size_t place =
      (index * (kEpsilons.size() + 1) + epsilon) * 64 + static_cast<std::size_t>(method);
  return {seed, static_cast<std::uint32_t>(place), Purpose::calibration};
}

}  // namespace

double priced_omega(double epsilon) { return assess::draw_omega(kLevels, epsilon, kReplaceOne); }

double priced_tempering(double omega, double epsilon) {
  const auto constant = assess::network_lipschitz(assess::family_lipschitz(kLevels, omega)).sum;
  return assess::draw_tempering(constant, epsilon, kReplaceOne);
}

double omega_of(Method method) {
  if (method == Method::tempered_05) return 0.05;
  return method == Method::tempered_35 ? 0.35 : 0.2;
}

TrialResult run_trial(const TrialPlan& plan, std::size_t index) {
  Rng rng = stream(plan.seed, index, kEpsilons.size(), Method::nonprivate);
  Data data;
  data.truth = draw_truth(rng);
  data.train = count(draw_records(data.truth, kTrain, rng));
  data.test = draw_records(data.truth, kTest, rng);
  TrialResult out;
  for (auto& answers : out) answers.fill(kNothing);
  for (std::size_t e = 0; e < kEpsilons.size(); ++e)
    ask_integers(e, index < plan.aware_first, data, stream(plan.seed, index, e, Method::laplace_discrete),
                 out);
  for (std::size_t m = 0; m < kMethods.size(); ++m) {
    const auto method = static_cast<Method>(m);
    if (of_integers(method)) continue;
    for (std::size_t e = 0; e < (facts(method).has_epsilon ? kEpsilons.size() : 1); ++e) {
      Rng own = stream(plan.seed, index, e, method);
      out[m][e] = ask(method, plan, index < plan.averaged_first, data, kEpsilons[e], own);
    }
  }
  return out;
}

}  // namespace postern::zhang16
