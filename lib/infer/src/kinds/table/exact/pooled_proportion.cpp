#include "pooled_proportion.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"

#include "counts/cell_noise.hpp"

namespace postern::infer {
namespace {

constexpr double kMostTerms = 4e8;   ///< of a convolution in logs: a few seconds
constexpr double kMostCounts = 4e6;  ///< of all datasets: some hundred megabytes

/// Log weights of the counts 0, 1, ...
using LogWeights = std::vector<double>;

/// What two cells' noisy values say about the counts of a dataset.
struct CellEvidence {
  CellEvidence(const CountProblem& group, std::size_t cell)
      : n(std::get<KnownTotal>(group.total).n),
        own(group.noisy_values[cell], n),
        rest(group.noisy_values[1 - cell], n) {}

  std::int64_t n;
  CellNoise own;
  CellNoise rest;

  [[nodiscard]] double log_constant() const { return own.log_anchor + rest.log_anchor; }
  /// All counts 0..n, less the constant: a strong prior can put the truth far from where the noise alone
  /// would.
  [[nodiscard]] LogWeights weigh() const {
    LogWeights out;
    out.reserve(static_cast<std::size_t>(n) + 1);
    for (std::int64_t s = 0; s <= n; ++s) {
      const auto x = static_cast<double>(s);
      const auto left = static_cast<double>(n - s);
      out.push_back(log_choose(static_cast<double>(n), x) + own.log_at(x) + rest.log_at(left));
    }
    return out;
  }
};

double count_terms(std::span<const CountProblem> groups) {
  double terms = 0;
  double reached = 1;
  for (const CountProblem& group : groups) {
    const auto counts = static_cast<double>(std::get<KnownTotal>(group.total).n) + 1;
    terms += reached * counts;
    reached += counts;
  }
  return terms;
}

LogWeights convolve_logs(const LogWeights& x, const LogWeights& y) {
  LogWeights out(x.size() + y.size() - 1);
  std::vector<double> terms_of_sum;
  for (std::size_t k = 0; k < out.size(); ++k) {
    const std::size_t from = k < y.size() ? 0 : k - y.size() + 1;
    const std::size_t to = std::min(k, x.size() - 1);
    terms_of_sum.clear();
    for (std::size_t i = from; i <= to; ++i) terms_of_sum.push_back(x[i] + y[k - i]);
    out[k] = log_sum_exp(terms_of_sum);
  }
  return out;
}

}  // namespace

bool PooledProportion::fits(std::span<const CountProblem> groups) {
  double counts = 0;
  for (const CountProblem& group : groups)
    counts += static_cast<double>(std::get<KnownTotal>(group.total).n) + 1;
  return counts <= kMostCounts && count_terms(groups) <= kMostTerms;
}

PooledProportion::PooledProportion(std::span<const double> alpha, std::size_t cell,
                                   std::span<const CountProblem> groups)
    : a_(alpha[cell]), b_(alpha[1 - cell]) {
  LogWeights sum{0.0};
  double constant = 0;
  for (const CountProblem& group : groups) {
    const CellEvidence noisy_values(group, cell);
    sum = convolve_logs(sum, noisy_values.weigh());
    constant += noisy_values.log_constant();
    trials_ += static_cast<double>(std::get<KnownTotal>(group.total).n);
  }
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const double s = static_cast<double>(i);
    sum[i] += log_beta(a_ + s, b_ + trials_ - s) - log_beta(a_, b_);
  }
  const double mass = log_sum_exp(sum);
  log_evidence_ = mass + constant;
  BetaRow row{a_, b_ + trials_, BetaRow::Keeps::sum, {}};
  double total = 0;
  for (const double log_weight : sum) {
    row.weight.push_back(std::exp(log_weight - mass));
    cumulative_.push_back(total += row.weight.back());
  }
  for (double& value : cumulative_) value /= total;
  mixture_ = BetaMixture({std::move(row)});
}

double PooledProportion::draw(Rng& rng) const {
  const auto at = std::lower_bound(cumulative_.begin(), cumulative_.end() - 1, rng.uniform());
  const double s = static_cast<double>(at - cumulative_.begin());
  return draw_beta(a_ + s, b_ + trials_ - s, rng);
}

}  // namespace postern::infer
