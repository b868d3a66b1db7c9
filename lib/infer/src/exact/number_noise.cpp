#include "exact/number_noise.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace postern::infer {
namespace {

/// Gathers sights of s, each where it has its maximum.
class Gatherer {
 public:
  explicit Gatherer(double step) : step_(step) {}

  void add(double at, const release::NoiseLaw& law) {
    if (const auto* laplace = std::get_if<release::DiscreteLaplace>(&law)) {
      noise_.kinks.push_back({at, laplace->lambda() * step_});
      noise_.log_norm += laplace->log_pmf(0);
    } else {
      const auto& gaussian = std::get<release::DiscreteGaussian>(law);
      const double precision = step_ * step_ / gaussian.sigma2();
      // Two parabolas are one at their mean, lowered by what they disagree.
      const double sum = noise_.precision + precision;
      const double gap = at - noise_.centre;
      if (noise_.precision > 0) noise_.log_norm -= 0.5 * gap * gap * noise_.precision / sum * precision;
      noise_.centre += gap * (precision / sum);
      noise_.precision = sum;
      noise_.log_norm += gaussian.log_pmf(0);
    }
  }

  SumNoise take() {
    std::sort(noise_.kinks.begin(), noise_.kinks.end(),
              [](const auto& a, const auto& b) { return a.at < b.at; });
    return std::move(noise_);
  }

 private:
  double step_;
  SumNoise noise_;
};

}  // namespace

double SumNoise::log_at(double s) const {
  double sum = log_norm - 0.5 * precision * (s - centre) * (s - centre);
  for (const Kink& kink : kinks) sum -= kink.rate * std::abs(kink.at - s);
  return sum;
}

SumNoise::Slopes SumNoise::slopes(double s) const {
  const double smooth = -precision * (s - centre);
  Slopes out{smooth, smooth};
  for (const Kink& kink : kinks) {
    out.left += kink.at >= s ? kink.rate : -kink.rate;
    out.right += kink.at > s ? kink.rate : -kink.rate;
  }
  return out;
}

double SumNoise::log_ratio(double s, double from) const {
  double sum = -0.5 * precision * (s - from) * (s - centre + (from - centre));
  for (const Kink& kink : kinks) sum -= kink.rate * (std::abs(kink.at - s) - std::abs(kink.at - from));
  return sum;
}

SumNoise SumNoise::rescaled(double from, double pitch) const {
  SumNoise out = *this;
  for (Kink& kink : out.kinks) kink = {(kink.at - from) / pitch, kink.rate * pitch};
  out.centre = (centre - from) / pitch;
  out.precision = precision * pitch * pitch;
  return out;
}

SumLattice sum_lattice(const model::EncodedNumber& number) {
  const std::vector<std::int64_t>& adds = number.values.adds;
  std::int64_t step = 0;
  for (const std::int64_t k : adds) step = std::gcd(step, k - adds.front());
  return {static_cast<double>(adds.front()), static_cast<double>(step == 0 ? 1 : step),
          static_cast<double>(adds.back())};
}

SumNoise sum_noise(const NumberProblem& problem, const SumLattice& lattice, std::int64_t n) {
  Gatherer gatherer(lattice.step);
  const auto records = static_cast<double>(n);
  for (const Sight& sight : problem.sums)
    gatherer.add((sight.y - records * lattice.base) / lattice.step, sight.law);
  for (const Sight& sight : problem.mirrored_sums)
    gatherer.add((records * (lattice.last - lattice.base) - sight.y) / lattice.step, sight.law);
  return gatherer.take();
}

SumNoise count_noise(const NumberProblem& problem) {
  Gatherer gatherer(1);
  for (const Sight& sight : problem.counts) gatherer.add(sight.y, sight.law);
  return gatherer.take();
}

}  // namespace postern::infer
