#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "postern/core/special.hpp"

#include "poisson_noise.hpp"

namespace postern::infer {

/// x^power times what a cell says about its Poisson mean x, on the grid of log x.
struct OddsWave {
  std::ptrdiff_t first = 0;
  std::vector<double> value;  ///< the largest is 1
  double log_scale = 0;
  /// Where remainders weigh differently, and by how much: value times unevenness, one a remainder.
  struct Ripple {
    std::size_t at = 0;
    std::size_t parts = 0;  ///< index of the first
    double largest = 0;
  };
  std::vector<Ripple> ripples;
  std::vector<double> parts;
  /// Where there may be ripples, and how large in logarithms.
  struct Suspect {
    std::size_t at = 0;
    double log_most = 0;
  };
  std::vector<Suspect> suspects;

  [[nodiscard]] double largest_ripple() const {
    double largest = 0;
    for (const Ripple& ripple : ripples) largest = std::max(largest, ripple.largest);
    double log_most = kMinusInfinity;
    for (const Suspect& suspect : suspects) log_most = std::max(log_most, suspect.log_most);
    return std::max(largest, std::exp(log_most));
  }
};

/// Means: PoissonNoise, or PoissonTable.
template <class Means>
class OddsWaveMaker {
 public:
  OddsWaveMaker(Means means, std::int64_t modulus, double power, double step)
      : means_(std::move(means)), parts_(static_cast<std::size_t>(modulus)), power_(power), step_(step) {}

  /// Outwards from a likely count, until nothing is left.
  std::optional<OddsWave> run(double count) {
    const auto start = static_cast<std::ptrdiff_t>(std::floor(std::log(std::max(count, 0.5)) / step_));
    std::vector<double> up;
    std::vector<double> down;
    if (!walk(start, 1, up) || !walk(start - 1, -1, down)) return std::nullopt;
    wave_.first = start - static_cast<std::ptrdiff_t>(down.size());
    wave_.log_scale = top_;
    wave_.value.reserve(down.size() + up.size());
    wave_.value.assign(down.rbegin(), down.rend());
    wave_.value.insert(wave_.value.end(), up.begin(), up.end());
    for (double& value : wave_.value) value = std::exp(value - top_);
    // Places were counted from 0 of the grid.
    for (OddsWave::Suspect& suspect : wave_.suspects) {
      suspect.at -= static_cast<std::size_t>(wave_.first);
      suspect.log_most -= top_;
    }
    for (OddsWave::Ripple& ripple : wave_.ripples) {
      ripple.at -= static_cast<std::size_t>(wave_.first);
      scale(ripple);
    }
    return std::move(wave_);
  }

  /// Finds the ripples of at least this size that are not yet known.
  void explore(OddsWave& wave, double least) {
    wave_ = std::move(wave);
    const double log_least = std::log(least);
    for (const OddsWave::Suspect& suspect : wave_.suspects) {
      if (suspect.log_most < log_least) continue;
      means_.unevenness(x_at(wave_.first + static_cast<std::ptrdiff_t>(suspect.at)), parts_);
      keep_parts(suspect.at);
      scale(wave_.ripples.back());
    }
    wave = std::move(wave_);
  }

 private:
  [[nodiscard]] double x_at(std::ptrdiff_t i) const { return std::exp(step_ * static_cast<double>(i)); }
  /// From one point of the grid on, until nothing is left.
  bool walk(std::ptrdiff_t from, std::ptrdiff_t stride, std::vector<double>& logs) {
    constexpr std::size_t kAnew = 64;  // points between exponentials
    const double ratio = std::exp(step_ * static_cast<double>(stride));
    double x = 0;
    for (std::ptrdiff_t i = from; logs.empty() || logs.back() >= top_ - kNats; i += stride) {
      x = logs.size() % kAnew == 0 ? x_at(i) : x * ratio;
      if (!add(i, x, logs)) return false;
    }
    return true;
  }
  bool add(std::ptrdiff_t i, double x, std::vector<double>& logs) {
    const PoissonMean mean = means_.mean(x, parts_);
    logs.push_back(power_ * step_ * static_cast<double>(i) + mean.log);
    const auto at = static_cast<std::size_t>(i);
    if (mean.parted) keep_parts(at);
    top_ = std::max(top_, logs.back());
    const double log_ripple = logs.back() + mean.log_uneven;
    if (log_ripple > top_ - kRippleNats) wave_.suspects.push_back({at, log_ripple});
    return logs.size() <= kMostPoints && std::isfinite(logs.back());
  }
  void keep_parts(std::size_t at) {
    wave_.ripples.push_back({at, wave_.parts.size(), 0});
    wave_.parts.insert(wave_.parts.end(), parts_.begin(), parts_.end());
  }
  void scale(OddsWave::Ripple& ripple) {
    for (std::size_t c = 0; c < parts_.size(); ++c) {
      double& part = wave_.parts[ripple.parts + c];
      part *= wave_.value[ripple.at];
      ripple.largest = std::max(ripple.largest, std::abs(part));
    }
  }

  static constexpr double kNats = 32;        ///< below its largest value a wave is cut
  static constexpr double kRippleNats = 40;  ///< and smaller ripples are nothing
  static constexpr std::size_t kMostPoints = 40'000;

  Means means_;
  std::vector<double> parts_;
  double power_;
  double step_;
  double top_ = kMinusInfinity;
  OddsWave wave_;
};

}  // namespace postern::infer
