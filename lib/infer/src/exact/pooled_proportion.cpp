#include "exact/pooled_proportion.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

constexpr double kMostTerms = 4e8;  ///< of a convolution in logs: a few seconds

/// Log weights of the counts 0, 1, ...
using LogWeights = std::vector<double>;

/// All counts 0..n: a strong prior can put the truth far from where the noise alone would.
LogWeights weigh(const CountProblem& group, std::size_t cell) {
  const std::int64_t n = std::get<KnownTotal>(group.total).n;
  LogWeights out;
  for (std::int64_t s = 0; s <= n; ++s) {
    double log_weight = log_choose(static_cast<double>(n), static_cast<double>(s));
    for (const Sight& sight : group.sights[cell]) {
      log_weight += release::log_pmf(sight.law, sight.y - static_cast<double>(s));
    }
    for (const Sight& sight : group.sights[1 - cell]) {
      log_weight += release::log_pmf(sight.law, sight.y - static_cast<double>(n - s));
    }
    out.push_back(log_weight);
  }
  return out;
}

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

void check_size(std::span<const CountProblem> groups) {
  const double terms = count_terms(groups);
  if (terms <= kMostTerms) return;
  throw Error(ErrorCode::engine_limit,
              {"combining these datasets exactly takes ", public_number(static_cast<long long>(terms)),
               " terms; the limit is ", public_number(static_cast<long long>(kMostTerms)),
               "; infer from each dataset's releases alone"});
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
  return count_terms(groups) <= kMostTerms;
}

PooledProportion::PooledProportion(std::span<const double> alpha, std::size_t cell,
                                   std::span<const CountProblem> groups)
    : a_(alpha[cell]), b_(alpha[1 - cell]) {
  check_size(groups);
  LogWeights sum{0.0};
  for (const CountProblem& group : groups) {
    sum = convolve_logs(sum, weigh(group, cell));
    trials_ += static_cast<double>(std::get<KnownTotal>(group.total).n);
  }
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const double s = static_cast<double>(i);
    sum[i] += log_beta(a_ + s, b_ + trials_ - s) - log_beta(a_, b_);
  }
  log_evidence_ = log_sum_exp(sum);
  BetaRow row{a_, b_ + trials_, BetaRow::Keeps::sum, {}};
  double total = 0;
  for (const double log_weight : sum) {
    row.weight.push_back(std::exp(log_weight - log_evidence_));
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
