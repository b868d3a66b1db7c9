#include "enumerate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "postern/core/special.hpp"
#include "postern/release/noise_law.hpp"

namespace postern::infer {
namespace {

struct Window {
  std::int64_t lo = 0;
  std::int64_t hi = 0;
};

/// The n that noisy counts leave, to e^-42 of the best.
Window likely_totals(const ChoiceProblem& problem) {
  constexpr double kNegligible = 42;
  const auto* latent = std::get_if<LatentTotal>(&problem.total);
  const std::int64_t about = problem.about();
  if (latent == nullptr) return {about, about};
  if (problem.counts.empty()) return {0, latent->at_most};
  const double best = problem.log_total(about);
  // Unimodal: the noise laws are log-concave.
  const auto farthest = [&](std::int64_t end) {
    std::int64_t inside = about;
    std::int64_t outside = end;
    if (problem.log_total(end) > best - kNegligible) return end;
    while (std::abs(outside - inside) > 1) {
      const std::int64_t middle = inside + (outside - inside) / 2;
      (problem.log_total(middle) > best - kNegligible ? inside : outside) = middle;
    }
    return inside;
  };
  return {farthest(0), farthest(latent->at_most)};
}

/// The next table of the same total, the last level's count being what is left; false after the last.
bool next(std::vector<std::int64_t>& counts) {
  const std::size_t last = counts.size() - 1;
  for (std::size_t x = last; x-- > 0;) {
    if (counts[last] > 0) {
      ++counts[x];
      --counts[last];
      return true;
    }
    counts[last] += counts[x];
    counts[x] = 0;
  }
  return false;
}

}  // namespace

double ChoiceMixture::tables(const ChoiceProblem& problem) {
  const Window window = likely_totals(problem);
  const auto others = static_cast<double>(problem.choices.levels() - 1);
  double all = 0;
  for (std::int64_t n = window.lo; n <= window.hi && all < kMost; ++n)
    all += std::exp(std::min(log_choose(static_cast<double>(n) + others, others), 40.0));
  return std::min(all, kMost);
}

bool ChoiceMixture::fits(const ChoiceProblem& problem) {
  constexpr double kMostNumbers = 1e8;
  if (problem.law->dirichlet().empty()) return false;
  const double all = tables(problem);
  return all < kMost && all * static_cast<double>(problem.choices.weights()) <= kMostNumbers;
}

ChoiceMixture::ChoiceMixture(const ChoiceProblem& problem)
    : alpha_(problem.law->dirichlet().begin(), problem.law->dirichlet().end()) {
  const Window window = likely_totals(problem);
  std::vector<double> logs;
  for (std::int64_t n = window.lo; n <= window.hi; ++n) list(problem, n, logs);
  const double whole = log_sum_exp(logs);
  log_evidence_ = whole;
  if (const auto* latent = std::get_if<LatentTotal>(&problem.total))
    log_evidence_ -= std::log1p(static_cast<double>(latent->at_most));
  double sum = 0;
  for (const double log : logs) cumulative_.push_back(sum += std::exp(log - whole));
}

/// Adds all tables of n records with the log of p(n) p(table | n) P(choices | table), p(n) = 1.
void ChoiceMixture::list(const ChoiceProblem& problem, std::int64_t n, std::vector<double>& logs) {
  const double all = std::accumulate(alpha_.begin(), alpha_.end(), 0.0);
  const auto records = static_cast<double>(n);
  const double base = problem.log_total(n) + log_factorial(records) - log_rising(all, records);
  std::vector<std::int64_t> counts(alpha_.size(), 0);
  counts.back() = n;
  do {
    double log = base + problem.choices.log_at(counts);
    for (std::size_t x = 0; x < counts.size(); ++x) {
      const auto count = static_cast<double>(counts[x]);
      log += log_rising(alpha_[x], count) - log_factorial(count);
    }
    logs.push_back(log);
    counts_.insert(counts_.end(), counts.begin(), counts.end());
  } while (next(counts));
}

ChoiceMixture::Moments ChoiceMixture::level(std::size_t x) const {
  const std::size_t levels = alpha_.size();
  double first = 0;
  double second = 0;
  double before = 0;
  for (std::size_t t = 0; t < cumulative_.size(); ++t) {
    const double weight = cumulative_[t] - before;
    before = cumulative_[t];
    double all = 0;
    for (std::size_t y = 0; y < levels; ++y) all += alpha_[y] + static_cast<double>(counts_[t * levels + y]);
    const double a = alpha_[x] + static_cast<double>(counts_[t * levels + x]);
    first += weight * a / all;
    second += weight * a * (a + 1) / (all * (all + 1));
  }
  return {first, std::max(0.0, second - first * first)};
}

ChoiceMixture::Moments ChoiceMixture::total() const {
  const std::size_t levels = alpha_.size();
  double first = 0;
  double second = 0;
  double before = 0;
  for (std::size_t t = 0; t < cumulative_.size(); ++t) {
    const double weight = cumulative_[t] - before;
    before = cumulative_[t];
    double n = 0;
    for (std::size_t y = 0; y < levels; ++y) n += static_cast<double>(counts_[t * levels + y]);
    first += weight * n;
    second += weight * n * n;
  }
  return {first, std::max(0.0, second - first * first)};
}

std::span<const std::int64_t> ChoiceMixture::draw(Rng& rng) const {
  const double u = rng.uniform() * cumulative_.back();
  const auto found = std::lower_bound(cumulative_.begin(), cumulative_.end(), u);
  const auto t = static_cast<std::size_t>(std::min(found, cumulative_.end() - 1) - cumulative_.begin());
  return {counts_.data() + t * alpha_.size(), alpha_.size()};
}

}  // namespace postern::infer
