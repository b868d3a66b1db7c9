#include "binomial.hpp"

namespace postern::infer {

std::optional<CountProblem> as_trials(const NumberProblem& problem) {
  const auto& adds = problem.number.values.adds;
  const auto trials = static_cast<std::int64_t>(adds.size()) - 1;
  if (problem.law->space(0) != model::ParameterSpace::unit || !problem.whole) return std::nullopt;
  if (problem.learned || trials < 1 || adds.front() != 0 || adds.back() != trials) return std::nullopt;
  // Of the laws with a probability for their parameter only the binomial has a largest value.
  const auto most = static_cast<double>(trials);
  if (!problem.law->possible({1, most, 0}) || problem.law->possible({1, most + 1, 0})) return std::nullopt;
  CountProblem out;
  out.alpha = {problem.prior[0], problem.prior[1]};
  out.noisy_values = {problem.sums, problem.mirrored_sums};
  if (const auto* known = std::get_if<KnownTotal>(&problem.total)) {
    if (known->n > kMostCounted / trials) return std::nullopt;
    out.total = KnownTotal{known->n * trials};
    return out;
  }
  if (!problem.counts.empty()) return std::nullopt;
  const auto& latent = std::get<LatentTotal>(problem.total);
  if (latent.at_most > kMostCounted / trials) return std::nullopt;
  out.total = LatentTotal{latent.at_most * trials, latent.log_slope / most};
  out.multiple = trials;
  return out;
}

}  // namespace postern::infer
