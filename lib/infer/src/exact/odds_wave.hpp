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
  std::vector<std::size_t> unknown;  ///< where there may be ripples

  [[nodiscard]] double largest_ripple() const {
    double largest = 0;
    for (const Ripple& ripple : ripples) largest = std::max(largest, ripple.largest);
    for (const std::size_t i : unknown) largest = std::max(largest, value[i]);
    return largest;
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
    std::vector<Point> up;
    std::vector<Point> down;
    for (std::ptrdiff_t i = start; up.empty() || up.back().log >= top_ - kNats; ++i) {
      if (!add(i, up)) return std::nullopt;
    }
    for (std::ptrdiff_t i = start - 1; down.empty() || down.back().log >= top_ - kNats; --i) {
      if (!add(i, down)) return std::nullopt;
    }
    wave_.first = start - static_cast<std::ptrdiff_t>(down.size());
    wave_.log_scale = top_;
    std::reverse(down.begin(), down.end());
    down.insert(down.end(), up.begin(), up.end());
    wave_.value.reserve(down.size());
    for (std::size_t i = 0; i < down.size(); ++i) {
      wave_.value.push_back(std::exp(down[i].log - top_));
      if (down[i].unknown) wave_.unknown.push_back(i);
    }
    for (OddsWave::Ripple& ripple : wave_.ripples) {
      ripple.at -= static_cast<std::size_t>(wave_.first);  // was counted from 0 of the grid
      scale(ripple);
    }
    return std::move(wave_);
  }

  /// Finds the ripples of at least this size that are not yet known.
  void explore(OddsWave& wave, double least) {
    wave_ = std::move(wave);
    for (const std::size_t i : wave_.unknown) {
      if (wave_.value[i] < least) continue;
      means_.unevenness(x_at(wave_.first + static_cast<std::ptrdiff_t>(i)), parts_);
      keep_parts(i);
      scale(wave_.ripples.back());
    }
    wave = std::move(wave_);
  }

 private:
  struct Point {
    double log = 0;
    bool unknown = false;
  };
  [[nodiscard]] double x_at(std::ptrdiff_t i) const { return std::exp(step_ * static_cast<double>(i)); }
  bool add(std::ptrdiff_t i, std::vector<Point>& points) {
    using enum PoissonMean::Remainders;
    const PoissonMean mean = means_.mean(x_at(i), parts_);
    points.push_back({power_ * step_ * static_cast<double>(i) + mean.log, mean.remainders == unknown});
    if (mean.remainders == parted) keep_parts(static_cast<std::size_t>(i));
    top_ = std::max(top_, points.back().log);
    return points.size() <= kMostPoints && std::isfinite(points.back().log);
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

  static constexpr double kNats = 35;  ///< below its largest value a wave is cut
  static constexpr std::size_t kMostPoints = 40'000;

  Means means_;
  std::vector<double> parts_;
  double power_;
  double step_;
  double top_ = kMinusInfinity;
  OddsWave wave_;
};

}  // namespace postern::infer
