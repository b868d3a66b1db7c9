#include "likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

/// Every combination of the choices' candidates as one candidate, the last choice fastest.
std::optional<ChosenCandidate> combined(const std::vector<ChosenCandidate>& choices, std::size_t levels) {
  ChosenCandidate out{std::vector<double>(levels, 0.0), 0};
  for (const ChosenCandidate& one : choices) {
    const std::size_t before = out.log_weights.size() / levels;
    const std::size_t candidates = one.log_weights.size() / levels;
    if (before * candidates > ChoiceLikelihoods::kMostCombinations) return std::nullopt;
    std::vector<double> all;
    for (std::size_t a = 0; a < before; ++a) {
      for (std::size_t b = 0; b < candidates; ++b) {
        for (std::size_t x = 0; x < levels; ++x)
          all.push_back(out.log_weights[a * levels + x] + one.log_weights[b * levels + x]);
      }
    }
    out = {std::move(all), out.chosen * candidates + one.chosen};
  }
  return out;
}

std::vector<double> transposed(const std::vector<double>& weights, std::size_t levels) {
  const std::size_t candidates = weights.size() / levels;
  std::vector<double> out(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) out[i % levels * candidates + i / levels] = weights[i];
  return out;
}

/// Weights beside those of the chosen candidate; nothing where they are too far apart.
std::vector<double> odds_beside_chosen(const ChosenCandidate& joint, std::size_t levels) {
  constexpr double kMostLog = 300;
  const double* own = joint.log_weights.data() + joint.chosen * levels;
  std::vector<double> out(joint.log_weights.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double log = joint.log_weights[i] - own[i % levels];
    if (std::abs(log) > kMostLog) return {};
    out[i] = std::exp(log);
  }
  return out;
}

double log_of(double p) { return p > 0 ? std::log(p) : kMinusInfinity; }

/// log sum_x p(x) e^{f(x)}, and the law r(x) ~ p(x) e^{f(x)}.
double log_mean_exp(std::span<const double> p, std::span<const double> f, std::vector<double>* tilted) {
  std::vector<double> terms(p.size());
  for (std::size_t x = 0; x < p.size(); ++x) terms[x] = log_of(p[x]) + f[x];
  const double whole = log_sum_exp(terms);
  if (tilted != nullptr) {
    tilted->resize(p.size());
    for (std::size_t x = 0; x < p.size(); ++x) (*tilted)[x] = std::exp(terms[x] - whole);
  }
  return whole;
}

/// q ~ e^{logs}, as logarithms.
void normalise(std::vector<double>& logs) {
  const double whole = log_sum_exp(logs);
  for (double& log : logs) log -= whole;
}

/// The upper bound as a function of log q, which it is convex in q of, and the law r that it meets there.
double upper_at(const ChosenCandidate& joint, std::span<const double> p, double n,
                std::span<const double> log_q, std::vector<double>* tilted) {
  const std::size_t levels = p.size();
  std::vector<double> f(joint.log_weights.begin() + static_cast<std::ptrdiff_t>(joint.chosen * levels),
                        joint.log_weights.begin() + static_cast<std::ptrdiff_t>((joint.chosen + 1) * levels));
  double minus_entropy = 0;
  for (std::size_t z = 0; z < log_q.size(); ++z) {
    const double q = std::exp(log_q[z]);
    if (q == 0) continue;
    minus_entropy += q * log_q[z];
    for (std::size_t x = 0; x < levels; ++x) f[x] -= q * joint.log_weights[z * levels + x];
  }
  return minus_entropy + n * log_mean_exp(p, f, tilted);
}

/// log q ~ n E_r log_weight(z, x), the point at which the bound of that r is least.
std::vector<double> best_for(const ChosenCandidate& joint, std::span<const double> r, double n) {
  const std::size_t levels = r.size();
  std::vector<double> out(joint.log_weights.size() / levels, 0.0);
  for (std::size_t z = 0; z < out.size(); ++z) {
    for (std::size_t x = 0; x < levels; ++x) out[z] += n * r[x] * joint.log_weights[z * levels + x];
  }
  normalise(out);
  return out;
}

/// By how much a bound of this slope grows from one q to another, at the most if steps of this part are
/// short enough.
double modelled(const std::vector<double>& log_from, const std::vector<double>& log_to,
                const std::vector<double>& slope, double part) {
  double out = 0;
  for (std::size_t z = 0; z < slope.size(); ++z) {
    const double q = std::exp(log_to[z]);
    out += (q - std::exp(log_from[z])) * slope[z] + q * (log_to[z] - log_from[z]) / part;
  }
  return out;
}

}  // namespace

ChoiceLikelihoods::ChoiceLikelihoods(std::vector<ChosenCandidate> choices, std::size_t levels)
    : choices_(std::move(choices)), levels_(levels), joint_(combined(choices_, levels)) {
  for (const ChosenCandidate& one : choices_) by_level_.push_back(transposed(one.log_weights, levels));
  if (joint_) odds_ = odds_beside_chosen(*joint_, levels);
}

std::size_t ChoiceLikelihoods::weights() const {
  std::size_t out = 0;
  for (const ChosenCandidate& one : choices_) out += one.log_weights.size();
  return out;
}

double ChoiceLikelihoods::log_at(std::span<const std::int64_t> counts) const {
  thread_local std::vector<double> totals;
  double out = 0;
  for (std::size_t c = 0; c < choices_.size(); ++c) {
    const std::size_t candidates = by_level_[c].size() / levels_;
    totals.assign(candidates, 0.0);
    double* const sums = totals.data();
    for (std::size_t x = 0; x < levels_; ++x) {
      if (counts[x] == 0) continue;
      const auto count = static_cast<double>(counts[x]);
      const double* weight = by_level_[c].data() + x * candidates;
      for (std::size_t z = 0; z < candidates; ++z) sums[z] += count * weight[z];
    }
    out += totals[choices_[c].chosen] - log_sum_exp(totals);
  }
  return out;
}

double ChoiceLikelihoods::log_lower(std::span<const double> p, double n) const {
  const ChosenCandidate& joint = *joint_;
  const double* own = joint.log_weights.data() + joint.chosen * levels_;
  std::vector<double> terms(joint.log_weights.size() / levels_);
  if (!odds_.empty()) {
    for (std::size_t z = 0; z < terms.size(); ++z)
      terms[z] = n * std::log(std::inner_product(p.begin(), p.end(), &odds_[z * levels_], 0.0));
    return -log_sum_exp(terms);
  }
  std::vector<double> f(levels_);
  for (std::size_t z = 0; z < terms.size(); ++z) {
    for (std::size_t x = 0; x < levels_; ++x) f[x] = joint.log_weights[z * levels_ + x] - own[x];
    terms[z] = n * log_mean_exp(p, f, nullptr);
  }
  return -log_sum_exp(terms);
}

double ChoiceLikelihoods::log_upper(std::span<const double> p, double n, std::span<const double> q) const {
  std::vector<double> log_q(q.size());
  for (std::size_t z = 0; z < q.size(); ++z) log_q[z] = log_of(q[z]);
  return upper_at(*joint_, p, n, log_q, nullptr);
}

std::vector<double> ChoiceLikelihoods::expected_choice(std::span<const double> p, double n) const {
  std::vector<double> out = best_for(*joint_, p, n);
  for (double& q : out) q = std::exp(q);
  return out;
}

/// Mirror descent in the geometry of the entropy: log q moves a part of the way to the best for its r, as
/// large a part as keeps the bound below its model there (the bound is convex in q). What is still to be
/// gained is at most how far q's mean slope is from the least slope.
double ChoiceLikelihoods::log_upper(std::span<const double> p, double n) const {
  constexpr int kSteps = 3000;
  constexpr double kEnough = 1e-7;
  std::vector<double> tilted;
  std::vector<double> log_q = best_for(*joint_, p, n);
  double bound = upper_at(*joint_, p, n, log_q, &tilted);
  std::vector<double> slope(log_q.size());
  std::vector<double> tried(log_q.size());
  std::vector<double> tilted_there;
  double part = 1;
  for (int step = 0; step < kSteps; ++step) {
    const std::vector<double> target = best_for(*joint_, tilted, n);
    double mean = 0;
    for (std::size_t z = 0; z < slope.size(); ++z) {
      slope[z] = log_q[z] - target[z];
      mean += std::exp(log_q[z]) * slope[z];
    }
    if (mean - *std::min_element(slope.begin(), slope.end()) < kEnough) break;
    for (bool taken = false; !taken && part > kEnough; part = taken ? std::min(1.0, 1.2 * part) : part / 2) {
      for (std::size_t z = 0; z < tried.size(); ++z) tried[z] = log_q[z] - part * slope[z];
      normalise(tried);
      const double model = bound + modelled(log_q, tried, slope, part);
      const double there = upper_at(*joint_, p, n, tried, &tilted_there);
      taken = there <= model + kEnough * kEnough;
      if (!taken) continue;
      std::swap(log_q, tried);
      std::swap(tilted, tilted_there);
      bound = std::min(bound, there);
    }
    if (!(part > kEnough)) break;
  }
  return bound;
}

}  // namespace postern::infer
