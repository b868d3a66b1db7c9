#include "exact/number_grid.hpp"

#include <algorithm>
#include <cmath>

#include "exact/number_start.hpp"

namespace postern::infer {
namespace {

/// About how many records there are.
double size_of(const NumberProblem& problem) {
  if (const auto* known = std::get_if<KnownTotal>(&problem.total)) return static_cast<double>(known->n);
  return guess_total(problem, sum_lattice(problem.number));
}

}  // namespace

NumberGrid::NumberGrid(NumberProblem problem, int threads)
    : problem_(std::move(problem)), record_(problem_, size_of(problem_)), line_(problem_.law->space(0)) {
  double n = 0;
  if (const auto* known = std::get_if<KnownTotal>(&problem_.total)) {
    known_ = known->n;
    n = static_cast<double>(known_);
  } else {
    weight_.emplace(problem_);
    n = guess_total(problem_, record_.lattice());
  }
  density_.emplace([this](double z) { return log_density(z); }, starting_line(problem_, line_, record_, n),
                   threads);
  mean_ = density_->expect([&](double z) { return line_.theta(z); });
  sd_ = std::sqrt(density_->expect([&](double z) {
    const double d = line_.theta(z) - mean_;
    return d * d;
  }));
  if (weight_) {
    settle_totals();
  } else {
    total_mean_ = n;
  }
}

double NumberGrid::log_density(double z) {
  const double prior = log_prior_at(problem_, line_, z);
  SumLikelihood sums(problem_, record_, {line_.theta(z), 0}, weight_.has_value());
  if (!weight_) return prior + sums.log_at(known_);
  TotalTable table = total_table(problem_, *weight_, record_.lattice(), sums);
  const double log_sum = table.log_sum();
  const std::scoped_lock lock(mutex_);
  made_.insert_or_assign(z, std::move(table));
  return prior + log_sum;
}

/// Keeps the tables where theta is, each with its share by interpolation.
void NumberGrid::settle_totals() {
  for (auto& [z, table] : made_) {
    place_.push_back(z);
    table_.push_back(std::move(table));
  }
  made_.clear();
  share_.assign(place_.size(), 0.0);
  density_->each_point([&](double z, double mass) {
    // Lagrange's weights of the four points around z.
    const auto after =
        static_cast<std::size_t>(std::upper_bound(place_.begin(), place_.end(), z) - place_.begin());
    const std::size_t count = std::min<std::size_t>(4, place_.size());
    const std::size_t first = std::min(after < 2 ? 0 : after - 2, place_.size() - count);
    for (std::size_t i = first; i < first + count; ++i) {
      double weight = mass;
      for (std::size_t j = first; j < first + count; ++j) {
        if (j != i) weight *= (z - place_[j]) / (place_[i] - place_[j]);
      }
      share_[i] += weight;
    }
  });
  for (std::size_t i = 0; i < table_.size(); ++i) total_mean_ += share_[i] * table_[i].mean();
  double variance = 0;
  for (std::size_t i = 0; i < table_.size(); ++i) variance += share_[i] * table_[i].mean_square(total_mean_);
  total_sd_ = std::sqrt(variance);
}

double NumberGrid::total_quantile(double p) const {
  if (!weight_) return static_cast<double>(known_);
  std::int64_t lo = 0;
  std::int64_t hi = weight_->most();
  while (lo < hi) {
    const std::int64_t middle = lo + (hi - lo) / 2;
    double below = 0;
    for (std::size_t i = 0; i < table_.size(); ++i) {
      if (share_[i] != 0) below += share_[i] * table_[i].cdf(static_cast<double>(middle) + 0.5);
    }
    (below >= p ? hi : lo) = below >= p ? middle : middle + 1;
  }
  return static_cast<double>(lo);
}

std::int64_t NumberGrid::draw_total(double z, Rng& rng) const {
  if (!weight_) return known_;
  const double u = rng.uniform();
  const auto after =
      static_cast<std::size_t>(std::upper_bound(place_.begin(), place_.end(), z) - place_.begin());
  const std::size_t right = std::clamp<std::size_t>(after, 1, place_.size() - 1);
  const double part = std::clamp((z - place_[right - 1]) / (place_[right] - place_[right - 1]), 0.0, 1.0);
  const double n = (1 - part) * table_[right - 1].quantile(u) + part * table_[right].quantile(u);
  return std::clamp<std::int64_t>(std::llround(n), 0, weight_->most());
}

}  // namespace postern::infer
