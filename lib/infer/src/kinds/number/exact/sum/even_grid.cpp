#include "even_grid.hpp"

#include <algorithm>
#include <cmath>

namespace postern::infer {
namespace {

/// What points miss beside rate H times the share of sums near a kink; 1/8 but for signs.
constexpr double kKinkMiss = 0.05;
constexpr double kOnPoint = 1e-9;

}  // namespace

double noise_pitch(const SumNoise& noise, double n, double deviation, double error) {
  double rate = 0;
  for (const auto& kink : noise.kinks) rate += kink.rate;
  const double kinks = std::sqrt(error / (kKinkMiss * rate * (rate + 1 / deviation)));
  return std::min(kinks, std::sqrt(std::sqrt(65 * error / n) / noise.precision));
}

double one_of_few_pitches(double pitch) { return std::exp2(std::floor(4 * std::log2(pitch)) / 4); }

SumNoise without_end_kinks(const SumNoise& noise, double least, double most, double margin) {
  SumNoise out = noise;
  for (auto& kink : out.kinks) {
    if (kink.at > least && kink.at < most) continue;
    kink.at += kink.at <= least ? -margin : margin;
    out.log_norm += kink.rate * margin;
  }
  return out;
}

CubicWeights::CubicWeights(double x) {
  double below = std::floor(x);
  double t = x - below;
  if (t > 1 - kOnPoint) {
    below += 1;
    t = 0;
  }
  first = static_cast<std::int64_t>(below) - 1;
  if (t < kOnPoint) {
    weight = {0, 1, 0, 0};
  } else {
    weight = {-t * (t - 1) * (t - 2) / 6, (t + 1) * (t - 1) * (t - 2) / 2, -(t + 1) * t * (t - 2) / 2,
              (t + 1) * t * (t - 1) / 6};
  }
}

void fill_noise(const TiltedNoise& g, const EvenGrid& points, std::span<double> out) {
  const std::size_t end = out.size() - 1;
  const auto log_at = [&](std::size_t k) {
    return g.log_at(points.origin + points.pitch * static_cast<double>(k));
  };
  const double last = points.origin + points.pitch * static_cast<double>(end);
  const auto within = [&](const auto& kink) { return kink.at > points.origin && kink.at < last; };
  if (end == 0 || g.noise.precision > 0 || std::any_of(g.noise.kinks.begin(), g.noise.kinks.end(), within)) {
    for (std::size_t k = 0; k <= end; ++k) out[k] = std::exp(log_at(k));
    return;
  }
  const double rise = log_at(end) - log_at(0);
  const double ratio = std::exp(-std::abs(rise) / static_cast<double>(end));
  double value = std::exp(log_at(rise > 0 ? end : 0));
  for (std::size_t k = 0; k <= end; ++k, value *= ratio) out[rise > 0 ? end - k : k] = value;
}

double kink_excess(const TiltedNoise& g, const SumNoise::Kink& kink, double t, double pitch) {
  return pitch * kink.rate * (t * t - t + 1.0 / 6) * std::exp(g.log_at(kink.at));
}

}  // namespace postern::infer
