#include "exact/number_set.hpp"

#include <algorithm>
#include <cmath>

namespace postern::infer {
namespace {

double size_of(const NumberProblem& problem) {
  if (const auto* known = std::get_if<KnownTotal>(&problem.total)) return static_cast<double>(known->n);
  return guess_total(problem, sum_lattice(problem.number));
}

}  // namespace

NumberSet::NumberSet(NumberProblem problem)
    : problem_(std::move(problem)), records_(size_of(problem_)), record_(problem_, records_) {
  if (std::holds_alternative<LatentTotal>(problem_.total)) {
    weight_.emplace(problem_);
  } else {
    total_mean_ = records_;
  }
}

double NumberSet::log_at(double z, double theta) {
  SumLikelihood sums(problem_, record_, {theta, 0}, latent());
  if (!latent()) return sums.log_at(std::get<KnownTotal>(problem_.total).n);
  TotalTable table = total_table(problem_, *weight_, record_.lattice(), sums);
  const double log_sum = table.log_sum();
  const std::scoped_lock lock(mutex_);
  made_.insert_or_assign(z, std::move(table));
  return log_sum;
}

/// Keeps the tables where theta is, each with its share by interpolation.
void NumberSet::settle(const LineDensity& density) {
  if (!latent()) return;
  for (auto& [z, table] : made_) {
    place_.push_back(z);
    table_.push_back(std::move(table));
  }
  made_.clear();
  share_.assign(place_.size(), 0.0);
  density.each_point([&](double z, double mass) {
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

double NumberSet::total_quantile(double p) const {
  if (!latent()) return records_;
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

std::int64_t NumberSet::draw_total(double z, Rng& rng) const {
  if (!latent()) return std::get<KnownTotal>(problem_.total).n;
  const double u = rng.uniform();
  const auto after =
      static_cast<std::size_t>(std::upper_bound(place_.begin(), place_.end(), z) - place_.begin());
  const std::size_t right = std::clamp<std::size_t>(after, 1, place_.size() - 1);
  const double part = std::clamp((z - place_[right - 1]) / (place_[right] - place_[right - 1]), 0.0, 1.0);
  const double n = (1 - part) * table_[right - 1].quantile(u) + part * table_[right].quantile(u);
  return std::clamp<std::int64_t>(std::llround(n), 0, weight_->most());
}

}  // namespace postern::infer
