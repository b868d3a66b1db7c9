#include "prior_warning.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "postern/model/kinds/linear_regression.hpp"

#include "posterior/words.hpp"

namespace postern::infer {
namespace {

constexpr double kMuchPrior = 0.4;  // standard deviations
constexpr double kShare = 0.2;      // of the value

struct Weighed {
  double value = 0;
  double log_weight = 0;
};

/// The value that so much of the weight is below, of draws in increasing order. @pre not empty
double at_share(const std::vector<Weighed>& draws, double share) {
  double largest = draws.front().log_weight;
  for (const Weighed& one : draws) largest = std::max(largest, one.log_weight);
  double all = 0;
  for (const Weighed& one : draws) all += std::exp(one.log_weight - largest);
  double below = 0;
  for (const Weighed& one : draws) {
    below += std::exp(one.log_weight - largest);
    if (below >= share * all) return one.value;
  }
  return draws.back().value;
}

double median(const std::vector<Weighed>& draws) { return at_share(draws, 0.5); }

}  // namespace

std::optional<Warning> sigma_prior_warning(const Posterior& posterior, const RegressionPrior& prior,
                                           const model::Study& study) {
  const auto& model = study.model.get<model::LinearRegression>();
  const double half = model::regression_scale(study.schema.at(model.target)).half;
  const auto place = std::find(posterior.names.begin(), posterior.names.end(), "sigma");
  const std::size_t first = static_cast<std::size_t>(place - posterior.names.begin()) * posterior.iterations;
  std::vector<Weighed> draws;
  for (const std::vector<double>& chain : posterior.draws) {
    for (std::size_t i = first; i < first + posterior.iterations; ++i) draws.push_back({chain[i] / half});
  }
  if (draws.empty()) return std::nullopt;
  std::sort(draws.begin(), draws.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
  const double now = median(draws);
  const double sd = (at_share(draws, 0.84) - at_share(draws, 0.16)) / 2;
  for (Weighed& one : draws) {
    const double variance = one.value * one.value;
    one.log_weight = 0.5 * ((prior.shape + 1) * std::log(variance) + prior.rate / variance);
  }
  const double shift = std::abs(median(draws) - now);
  if (shift < kMuchPrior * sd && shift < kShare * now) return std::nullopt;
  const double usual = std::sqrt(prior.rate / (prior.shape + 1));
  return Warning{"prior-outweighs-data",
                 "how far '" + model.target + "' lies from the line (" + short_text(half * now) +
                     ") is the prior's word as much as the data's: the prior expects about " +
                     short_text(half * usual) +
                     ", and hardly allows a quarter of that. If you expect less, this and all intervals are "
                     "too wide: state a prior with a smaller `rate`, or look at the answer under other "
                     "priors (--sensitivity)"};
}

}  // namespace postern::infer
