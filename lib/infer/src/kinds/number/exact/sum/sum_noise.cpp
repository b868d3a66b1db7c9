#include "sum_noise.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

/// The values that sums can take, for any number of records.
struct Possible {
  double lo = 0;
  double hi = 0;
  [[nodiscard]] double nearest(double y) const { return std::clamp(y, lo, hi); }
};

double most_records(const NumberProblem& problem) {
  if (const auto* known = std::get_if<KnownTotal>(&problem.total)) return static_cast<double>(known->n);
  return static_cast<double>(std::get<LatentTotal>(problem.total).at_most);
}

Possible possible_sums(const NumberProblem& problem) {
  const double n = most_records(problem);
  const auto first = static_cast<double>(problem.number.values.adds.front());
  const auto last = static_cast<double>(problem.number.values.adds.back());
  return {std::min(0.0, n * first), std::max(0.0, n * last)};
}

Possible possible_rests(const NumberProblem& problem) {
  const auto first = static_cast<double>(problem.number.values.adds.front());
  const auto last = static_cast<double>(problem.number.values.adds.back());
  return {0, most_records(problem) * (last - first)};
}

/// Gathers noisy values, each as a function of s: what is seen is a noisy value of zero + step s.
class Gatherer {
 public:
  void add(const NoisyValue& noisy_value, const Possible& possible, double zero, double step) {
    const double near = (possible.nearest(noisy_value.y) - zero) / step;
    const release::NoiseShape falls = release::shape(noisy_value.law);
    noise_.log_norm += release::log_pmf(noisy_value.law, 0);
    if (falls.rate > 0) {
      noise_.kinks.push_back({near, falls.rate * std::abs(step)});
    } else {
      parabolas_.push_back({step * step * falls.precision, (noisy_value.y - zero) / step, near});
    }
  }

  SumNoise take() {
    std::sort(noise_.kinks.begin(), noise_.kinks.end(),
              [](const auto& a, const auto& b) { return a.at < b.at; });
    for (const Parabola& parabola : parabolas_) {
      noise_.precision += parabola.precision;
      noise_.centre += (parabola.centre - noise_.centre) * (parabola.precision / noise_.precision);
    }
    if (parabolas_.empty()) return std::move(noise_);
    noise_.anchor = parabolas_.front().zero;
    for (const Parabola& p : parabolas_) {
      const double d = noise_.anchor - p.zero;
      noise_.log_norm -= 0.5 * p.precision * d * (noise_.anchor - p.centre + (p.zero - p.centre));
    }
    return std::move(noise_);
  }

 private:
  struct Parabola {
    double precision = 0;
    double centre = 0;
    double zero = 0;  ///< where it counts as 0
  };
  SumNoise noise_;
  std::vector<Parabola> parabolas_;
};

double constant_of(const std::vector<NoisyValue>& noisy_values, const Possible& possible) {
  double sum = 0;
  for (const NoisyValue& noisy_value : noisy_values) {
    const double off = noisy_value.y - possible.nearest(noisy_value.y);
    const release::NoiseShape falls = release::shape(noisy_value.law);
    sum -= falls.rate * std::abs(off) + 0.5 * falls.precision * off * off;
  }
  return sum;
}

}  // namespace

double SumNoise::log_at(double s) const {
  double sum = log_norm - 0.5 * precision * (s - anchor) * (s - centre + (anchor - centre));
  for (const Kink& kink : kinks) sum -= kink.rate * std::abs(kink.at - s);
  return sum;
}

double SumNoise::highest(double lo, double hi) const {
  const double s = std::clamp(centre, lo, hi);
  const double parabola = -0.5 * precision * (s - anchor) * (s - centre + (anchor - centre));
  double best = kinks.empty() ? 0 : kMinusInfinity;
  for (const Kink& at : kinks) {
    double here = 0;
    for (const Kink& kink : kinks) here -= kink.rate * std::abs(kink.at - at.at);
    best = std::max(best, here);
  }
  return log_norm + parabola + best;
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

SumLattice sum_lattice(const model::EncodedNumber& number) {
  const std::vector<std::int64_t>& adds = number.values.adds;
  std::int64_t step = 0;
  for (const std::int64_t k : adds) step = std::gcd(step, k - adds.front());
  return {static_cast<double>(adds.front()), static_cast<double>(step == 0 ? 1 : step),
          static_cast<double>(adds.back())};
}

double noise_constant(const NumberProblem& problem) {
  return constant_of(problem.sums, possible_sums(problem)) +
         constant_of(problem.mirrored_sums, possible_rests(problem)) +
         constant_of(problem.counts, {0, most_records(problem)});
}

SumNoise sum_noise(const NumberProblem& problem, const SumLattice& lattice, std::int64_t n) {
  Gatherer gatherer;
  const auto records = static_cast<double>(n);
  const Possible sums = possible_sums(problem);
  for (const NoisyValue& noisy_value : problem.sums)
    gatherer.add(noisy_value, sums, records * lattice.base, lattice.step);
  const Possible rests = possible_rests(problem);
  for (const NoisyValue& noisy_value : problem.mirrored_sums)
    gatherer.add(noisy_value, rests, records * (lattice.last - lattice.base), -lattice.step);
  return gatherer.take();
}

SumNoise count_noise(const NumberProblem& problem) {
  Gatherer gatherer;
  for (const NoisyValue& noisy_value : problem.counts)
    gatherer.add(noisy_value, {0, most_records(problem)}, 0, 1);
  return gatherer.take();
}

}  // namespace postern::infer
