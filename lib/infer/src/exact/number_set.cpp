#include "exact/number_set.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/parallel.hpp"
#include "postern/core/special.hpp"

#include "exact/number_mixture.hpp"

namespace postern::infer {
namespace {

constexpr int kPlaces = 21;        ///< of theta at which the law of n is worked out
constexpr double kTableNats = 12;  ///< how well the law of n is known
constexpr double kReach = 5;       ///< deviations of a normal theta that they cover

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

double NumberSet::log_at(double theta, const Known& known) const {
  SumLikelihood sums(problem_, record_, {theta, 0});
  if (!latent()) return sums.log_at(std::get<KnownTotal>(problem_.total).n, known);
  const SumMixture mixture(problem_, *weight_, sums, known);
  if (mixture.usable()) return mixture.log_sum();
  return total_table(problem_, *weight_, sums, mixture.nats()).log_sum();
}

TotalTable NumberSet::table_at(double theta) const {
  SumLikelihood sums(problem_, record_, {theta, 0});
  const SumMixture mixture(problem_, *weight_, sums, {.best = kTableNats});
  return mixture.usable() ? mixture.table() : total_table(problem_, *weight_, sums, kTableNats);
}

/// Makes tables where theta is, each with its share by interpolation.
void NumberSet::settle(const LineDensity& density, const ThetaLine& line, int threads) {
  if (!latent()) return;
  for (int k = 0; k < kPlaces; ++k) {
    const double z = density.quantile(normal_cdf(kReach * (2.0 * k / (kPlaces - 1) - 1)));
    if (place_.empty() || z > place_.back()) place_.push_back(z);
  }
  table_.resize(place_.size());
  parallel_for(place_.size(), threads, [&](std::size_t i) { table_[i] = table_at(line.theta(place_[i])); });
  share_.assign(place_.size(), 0.0);
  density.each_point([&](double point, double mass) {
    const double z = std::clamp(point, place_.front(), place_.back());
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
  if (table_.size() == 1) return std::llround(table_.front().quantile(u));
  const auto after =
      static_cast<std::size_t>(std::upper_bound(place_.begin(), place_.end(), z) - place_.begin());
  const std::size_t right = std::clamp<std::size_t>(after, 1, place_.size() - 1);
  const double part = std::clamp((z - place_[right - 1]) / (place_[right] - place_[right - 1]), 0.0, 1.0);
  const double n = (1 - part) * table_[right - 1].quantile(u) + part * table_[right].quantile(u);
  return std::clamp<std::int64_t>(std::llround(n), 0, weight_->most());
}

}  // namespace postern::infer
