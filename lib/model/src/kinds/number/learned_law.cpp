#include "kinds/number/learned_law.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "postern/core/special.hpp"

namespace postern::model {
namespace {

/// log of the sum of shares times e^value.
template <class Value>
double mixed(const std::vector<PriorTerm>& terms, const Value& value) {
  std::vector<double> logs;
  logs.reserve(terms.size());
  for (const PriorTerm& term : terms) logs.push_back(term.log_share + value(term.prior));
  return log_sum_exp(logs);
}

/// A place in proportion to e^weight.
std::size_t choose(const std::vector<double>& log_weights, Rng& rng) {
  double left = rng.uniform();
  const double total = log_sum_exp(log_weights);
  for (std::size_t k = 0; k + 1 < log_weights.size(); ++k) {
    left -= std::exp(log_weights[k] - total);
    if (left < 0) return k;
  }
  return log_weights.size() - 1;
}

}  // namespace

std::vector<PriorTerm> LearnedLaw::after(const Hyper& prior) const {
  if (prior[0] == 0) return terms_;
  const Sums sums{prior[0], prior[1], 0};
  std::vector<PriorTerm> out = terms_;
  for (PriorTerm& term : out) {
    term.log_share += law_->log_evidence(term.prior, sums);
    term.prior = law_->update(term.prior, sums);
  }
  const double total = mixed(out, [](const Hyper&) { return 0.0; });
  for (PriorTerm& term : out) term.log_share -= total;
  return out;
}

Theta LearnedLaw::draw_theta(const Hyper& prior, Rng& rng) const {
  const std::vector<PriorTerm> terms = after(prior);
  std::vector<double> shares;
  shares.reserve(terms.size());
  for (const PriorTerm& term : terms) shares.push_back(term.log_share);
  return law_->draw_theta(terms[choose(shares, rng)].prior, rng);
}

double LearnedLaw::log_prior(const Hyper& prior, const Theta& theta) const {
  return mixed(after(prior), [&](const Hyper& term) { return law_->log_prior(term, theta); });
}

double LearnedLaw::log_prior_on_line(const Hyper& prior, double z) const {
  return mixed(after(prior), [&](const Hyper& term) { return law_->log_prior_on_line(term, z); });
}

double LearnedLaw::log_evidence(const Hyper& prior, const Sums& sums) const {
  return mixed(after(prior), [&](const Hyper& term) { return law_->log_evidence(term, sums); });
}

double LearnedLaw::least_shape(const Hyper& prior) const {
  double least = HUGE_VAL;
  for (const PriorTerm& term : after(prior)) least = std::min(least, law_->least_shape(term.prior));
  return least;
}

LearnedNormal::LearnedNormal(std::vector<PriorTerm> terms) : terms_(std::move(terms)) {
  for (const auto& [log_share, prior] : terms_)
    constants_.push_back(log_share + prior[2] * std::log(prior[3]) + 0.5 * std::log(prior[1]));
}

LearnedNormal::Seen LearnedNormal::seen(const Hyper& prior) {
  const double half = prior[4];
  return {prior[1], prior[2] / half, prior[3] / half / half};
}

/// Two sets of records put together.
Hyper LearnedNormal::update(const Hyper& prior, const Sums& sums) const {
  if (sums.n == 0) return prior;
  const auto [middle, n, mean, scatter, half] = prior;
  const double average = sums.t / sums.n;
  const double shift = average - middle - mean;
  const double share = sums.n / (n + sums.n);
  return {middle, n + sums.n, mean + share * shift,
          scatter + std::max(0.0, sums.squares - sums.t * average) + n * share * shift * shift, half};
}

std::vector<double> LearnedNormal::weights(const Seen& records) const {
  std::vector<double> out = constants_;
  for (std::size_t k = 0; k < out.size(); ++k) {
    const auto& [mean, weight, shape, scale, unused] = terms_[k].prior;
    const double shift = records.mean - mean;
    const double both = weight + records.n;
    const double sum = scale + 0.5 * (records.scatter + weight * records.n / both * shift * shift);
    out[k] -= (shape + 0.5 * records.n) * std::log(sum) + 0.5 * std::log(both);
  }
  return out;
}

Theta LearnedNormal::draw_theta(const Hyper& prior, Rng& rng) const {
  const Seen records = seen(prior);
  const Hyper& term = terms_[choose(weights(records), rng)].prior;
  const double sum = records.n * records.mean;
  const Theta drawn = NormalLaw::draw_theta(
      NormalLaw::update(term, {records.n, sum, records.scatter + sum * records.mean}), rng);
  const double half = prior[4];
  return {prior[0] + half * drawn[0], std::clamp(half * half * drawn[1], 1e-300, 1e300)};
}

double LearnedNormal::log_prior(const Hyper& prior, const Theta& theta) const {
  const Seen records = seen(prior);
  const double half = prior[4];
  const double mean = (theta[0] - prior[0]) / half;
  const double variance = theta[1] / half / half;
  std::vector<double> logs = constants_;
  for (std::size_t k = 0; k < logs.size(); ++k) {
    const auto& [its_mean, weight, shape, scale, unused] = terms_[k].prior;
    const double shift = mean - its_mean;
    logs[k] -= (scale + 0.5 * weight * shift * shift) / variance;
  }
  const double shape = terms_.front().prior[2] + 0.5 * records.n;
  const double shift = mean - records.mean;
  const double scatter = records.scatter + records.n * shift * shift;
  return log_sum_exp(logs) - log_sum_exp(weights(records)) - log_gamma(shape) -
         (shape + 1.5) * std::log(variance) - 0.5 * scatter / variance -
         0.5 * std::log(2 * std::numbers::pi) - 3 * std::log(half);
}

double LearnedNormal::log_evidence(const Hyper& prior, const Sums& sums) const {
  const Hyper all = update(prior, sums);
  const double shape = terms_.front().prior[2];
  return log_gamma(shape + 0.5 * all[1]) - log_gamma(shape + 0.5 * prior[1]) +
         log_sum_exp(weights(seen(all))) - log_sum_exp(weights(seen(prior)));
}

Hyper LearnedNormal::in_units(const Hyper& prior, double zero, double unit) const {
  const auto [middle, n, mean, scatter, half] = prior;
  return {(middle - zero) / unit, n, mean / unit, scatter / unit / unit, half / unit};
}

}  // namespace postern::model
