#include "postern/assess/bounds/stochastic_lipschitz.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "postern/core/special.hpp"

#include "domain.hpp"

namespace postern::assess {
namespace {

constexpr double kW = 1.2564312086261697;  // e^w = 2 w + 1

}  // namespace

StochasticLipschitz beta_concentration(double a, double from) {
  check_positive(a);
  check_positive(from);
  // The logit of the coin has a log-concave law, symmetric here; so -log P(|logit| > L) is convex and 0 at L
  // = 0, and over L it rises: its least value is the first.
  const double tail = 2 * beta_cdf(a, a, 1 / (1 + std::exp(from)));
  return {-std::log(tail) / from, from};
}

StochasticLipschitz network_concentration(std::span<const double> nodes, double from) {
  if (nodes.empty()) throw Error(ErrorCode::usage, {"a network has at least one variable"});
  check_positive(from);
  for (const double c : nodes) check_positive(c);
  const double least = *std::min_element(nodes.begin(), nodes.end());
  return {least - std::log(static_cast<double>(nodes.size())) / from, from};
}

double likelihood_ratio(std::span<const double> alpha) {
  if (alpha.size() < 2) throw Error(ErrorCode::usage, {"a row has at least two prior parameters"});
  for (const double a : alpha) check_positive(a);
  return std::accumulate(alpha.begin(), alpha.end(), 0.0) / *std::min_element(alpha.begin(), alpha.end());
}

StochasticGuarantee stochastic_guarantee(const StochasticLipschitz& prior, double ratio, double distance,
                                         double slack) {
  check_positive(prior.from);
  check_positive(distance);
  check_probability(slack);
  if (!(ratio >= 1 && std::isfinite(ratio)))
    throw Error(ErrorCode::usage, {"a largest likelihood is at least the marginal one"});
  const double c = prior.concentration;
  if (!(c > 0) || distance > (1 - slack) * c)
    return {Verdict::inapplicable, std::numeric_limits<double>::infinity(),
            std::numeric_limits<double>::infinity()};
  const double kept = -std::expm1(-kW);
  const double kappa = 2 * kW / (kept * kept);
  const double tail = std::exp(-prior.from * slack * c) / (std::exp(-kW * (1 - slack)) - std::exp(-kW)) +
                      std::exp(prior.from * (1 - slack) * c);
  StochasticGuarantee out;
  out.constant = ratio * (kappa / c + prior.from * (1 / kept + 1) + std::log(ratio) + std::log(tail));
  out.total_variation = std::sqrt(out.constant / 2 * std::max(distance, 1.0));
  out.verdict = out.total_variation < 1 ? Verdict::holds : Verdict::vacuous;
  return out;
}

}  // namespace postern::assess
