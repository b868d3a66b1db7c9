#include "postern/infer/noise/totals_noise.hpp"

#include <algorithm>

namespace postern::infer {

SumEvidence::SumEvidence(std::span<const NoisyValue> noisy_values, double low, double high) {
  double weighted = 0;
  for (const NoisyValue& noisy_value : noisy_values) {
    const release::NoiseShape falls = release::shape(noisy_value.law);
    if (noisy_value.band) {
      bands_.emplace_back(noisy_value.law, *noisy_value.band);
    } else if (falls.rate > 0) {
      kinks_.push_back({std::clamp(noisy_value.y, low, high), falls.rate});
    } else {
      curvature_ += falls.precision;
      weighted += falls.precision * noisy_value.y;
    }
  }
  if (curvature_ > 0) centre_ = weighted / curvature_;
}

TotalsNoise::TotalsNoise(const NumberProblem& problem, double most)
    : last_(static_cast<double>(problem.number.values.adds.back())) {
  const auto first = static_cast<double>(problem.number.values.adds.front());
  sums_ = SumEvidence(problem.sums, std::min(0.0, most * first), std::max(0.0, most * last_));
  squares_ = SumEvidence(problem.square_sums, 0, most * std::max(first * first, last_ * last_));
  mirrored_ = SumEvidence(problem.mirrored_sums, 0, most * (last_ - first));
  counts_ = SumEvidence(problem.counts, 0, most);
  inside_ = SumEvidence(problem.inside_counts, 0, most);
  squares_seen_ = squares_.seen();
  mirrored_seen_ = mirrored_.seen();
  inside_seen_ = inside_.seen();
}

}  // namespace postern::infer
