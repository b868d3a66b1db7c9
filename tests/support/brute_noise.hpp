#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "postern/core/special.hpp"
#include "postern/infer/noise/noisy_value.hpp"

namespace postern::infer {

/// log of the sum of the masses of a discrete law over low..high, or of the integral of a density by
/// Boole's rule from its highest point on: the definition of a band, for tests.
inline double brute_band(const release::NoiseLaw& law, double low, double high) {
  constexpr double kNats = 45;
  const double nearest = std::clamp(0.0, low, high);
  const double top = release::log_pmf(law, nearest);
  const release::NoiseShape falls = release::shape(law);
  const double slope = falls.rate + falls.precision * std::abs(nearest);
  const double reach = std::min(release::radius(law, kNats), slope > 0 ? kNats / slope : HUGE_VAL);
  const auto mass = [&](double x) { return std::exp(release::log_pmf(law, x) - top); };
  double sum = 0;
  if (release::is_discrete(law)) {
    for (double k = std::max(low, nearest - std::ceil(reach));
         k <= std::min(high, nearest + std::ceil(reach)); ++k)
      sum += mass(k);
    return top + std::log(sum);
  }
  const auto integral = [&](double from, double to) {
    constexpr int kPanels = 8000;
    const double h = (to - from) / kPanels;
    double total = 7 * (mass(to) - mass(from));
    for (int i = 0; i < kPanels; i += 4)
      total += 14 * mass(from + h * i) + 32 * (mass(from + h * (i + 1)) + mass(from + h * (i + 3))) +
               12 * mass(from + h * (i + 2));
    return total * h * 2 / 45;
  };
  if (high > nearest) sum += integral(nearest, std::min(high, nearest + reach));
  if (low < nearest) sum += integral(std::max(low, nearest - reach), nearest);
  return top + std::log(sum);
}

/// What a noisy value says of a truth, by the definition. Bands are remembered: listings ask again and again.
inline double brute_log_likelihood(const NoisyValue& value, double truth) {
  if (!value.band) return release::log_pmf(value.law, value.y - truth);
  using Key = std::tuple<std::size_t, double, double, double, double>;
  static std::map<Key, double> known;
  const release::NoiseShape falls = release::shape(value.law);
  const double low = value.band->low - truth;
  const double high = value.band->high - truth;
  const auto [at, fresh] =
      known.try_emplace(Key{value.law.index(), falls.rate, falls.precision, low, high}, 0.0);
  if (fresh) at->second = brute_band(value.law, low, high);
  return at->second;
}

/// A value as another tool might have published it: with continuous noise, rounded, held back or clipped, in
/// turn.
inline NoisyValue made_elsewhere(NoisyValue value, std::size_t turn) {
  const auto [rate, precision] = release::shape(value.law);
  if (turn % 2 == 0) {
    if (rate > 0) {
      value.law = release::Laplace(1 / rate);
    } else {
      value.law = release::Gaussian(1 / precision);
    }
    value.y += 0.3;
  }
  switch (turn % 6) {
    case 1:
    case 2:
      value.band = Band{value.y - 1, value.y + 1};
      break;
    case 3:
    case 4:
      value.band = Band{-HUGE_VAL, value.y};
      break;
    case 5:
      value.band = Band{value.y, HUGE_VAL};
      break;
    default:
      break;
  }
  return value;
}

/// The same for the truths 0..most.
inline std::vector<double> brute_log_likelihoods(const std::vector<NoisyValue>& values, std::int64_t most) {
  std::vector<double> out(static_cast<std::size_t>(most) + 1, 0.0);
  for (std::size_t s = 0; s < out.size(); ++s) {
    for (const NoisyValue& value : values) out[s] += brute_log_likelihood(value, static_cast<double>(s));
  }
  return out;
}

}  // namespace postern::infer
