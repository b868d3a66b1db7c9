#include "postern/infer/augment/totals_noise.hpp"

#include <algorithm>

namespace postern::infer {

SumSights::SumSights(std::span<const Sight> sights, double low, double high) {
  double weighted = 0;
  for (const Sight& sight : sights) {
    if (const auto* laplace = std::get_if<release::DiscreteLaplace>(&sight.law)) {
      kinks_.push_back({std::clamp(sight.y, low, high), laplace->lambda()});
    } else {
      const double precision = 1 / std::get<release::DiscreteGaussian>(sight.law).sigma2();
      curvature_ += precision;
      weighted += precision * sight.y;
    }
  }
  if (curvature_ > 0) centre_ = weighted / curvature_;
}

TotalsNoise::TotalsNoise(const NumberProblem& problem, double most)
    : last_(static_cast<double>(problem.number.values.adds.back())) {
  const auto first = static_cast<double>(problem.number.values.adds.front());
  sums_ = SumSights(problem.sums, std::min(0.0, most * first), std::max(0.0, most * last_));
  squares_ = SumSights(problem.square_sums, 0, most * std::max(first * first, last_ * last_));
  mirrored_ = SumSights(problem.mirrored_sums, 0, most * (last_ - first));
  counts_ = SumSights(problem.counts, 0, most);
  inside_ = SumSights(problem.inside_counts, 0, most);
  squares_seen_ = squares_.seen();
  mirrored_seen_ = mirrored_.seen();
  inside_seen_ = inside_.seen();
}

}  // namespace postern::infer
