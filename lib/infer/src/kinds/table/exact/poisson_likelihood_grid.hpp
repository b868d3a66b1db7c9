#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "postern/core/special.hpp"

#include "poisson_likelihood.hpp"

namespace postern::infer {

/// x^power times what a cell says about its Poisson mean x, on the grid of log x.
struct PoissonLikelihoodGrid {
  std::ptrdiff_t first = 0;
  std::vector<double> value;  ///< the largest is 1
  double log_scale = 0;
  /// Where remainders weigh differently, and by how much: value times unevenness, one a remainder.
  struct ResidueCorrection {
    std::size_t at = 0;
    std::size_t parts = 0;  ///< index of the first
    double largest = 0;
  };
  std::vector<ResidueCorrection> corrections;
  std::vector<double> parts;
  /// Where there may be corrections, and how large in logarithms.
  struct Suspect {
    std::size_t at = 0;
    double log_most = 0;
  };
  std::vector<Suspect> suspects;

  [[nodiscard]] double largest_correction() const {
    double largest = 0;
    for (const ResidueCorrection& correction : corrections) largest = std::max(largest, correction.largest);
    double log_most = kMinusInfinity;
    for (const Suspect& suspect : suspects) log_most = std::max(log_most, suspect.log_most);
    return std::max(largest, std::exp(log_most));
  }
};

/// Means: PoissonLikelihood, or TabulatedPoissonLikelihood.
template <class Means>
class PoissonLikelihoodGridBuilder {
 public:
  PoissonLikelihoodGridBuilder(Means means, std::int64_t modulus, double power, double step)
      : means_(std::move(means)), parts_(static_cast<std::size_t>(modulus)), power_(power), step_(step) {}

  /// Outwards from a likely count, until nothing is left.
  std::optional<PoissonLikelihoodGrid> run(double count) {
    const auto start = static_cast<std::ptrdiff_t>(std::floor(std::log(std::max(count, 0.5)) / step_));
    std::vector<double> up;
    std::vector<double> down;
    if (!walk(start, 1, up) || !walk(start - 1, -1, down)) return std::nullopt;
    grid_.first = start - static_cast<std::ptrdiff_t>(down.size());
    grid_.log_scale = top_;
    grid_.value.reserve(down.size() + up.size());
    grid_.value.assign(down.rbegin(), down.rend());
    grid_.value.insert(grid_.value.end(), up.begin(), up.end());
    for (double& value : grid_.value) value = std::exp(value - top_);
    // Places were counted from 0 of the grid.
    for (PoissonLikelihoodGrid::Suspect& suspect : grid_.suspects) {
      suspect.at -= static_cast<std::size_t>(grid_.first);
      suspect.log_most -= top_;
    }
    for (PoissonLikelihoodGrid::ResidueCorrection& correction : grid_.corrections) {
      correction.at -= static_cast<std::size_t>(grid_.first);
      scale(correction);
    }
    return std::move(grid_);
  }

  /// Finds the corrections of at least this size that are not yet known.
  void explore(PoissonLikelihoodGrid& grid, double least) {
    grid_ = std::move(grid);
    const double log_least = std::log(least);
    for (const PoissonLikelihoodGrid::Suspect& suspect : grid_.suspects) {
      if (suspect.log_most < log_least) continue;
      means_.unevenness(x_at(grid_.first + static_cast<std::ptrdiff_t>(suspect.at)), parts_);
      keep_parts(suspect.at);
      scale(grid_.corrections.back());
    }
    grid = std::move(grid_);
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
    const double log_correction = logs.back() + mean.log_uneven;
    if (log_correction > top_ - kCorrectionNats) grid_.suspects.push_back({at, log_correction});
    return logs.size() <= kMostPoints && std::isfinite(logs.back());
  }
  void keep_parts(std::size_t at) {
    grid_.corrections.push_back({at, grid_.parts.size(), 0});
    grid_.parts.insert(grid_.parts.end(), parts_.begin(), parts_.end());
  }
  void scale(PoissonLikelihoodGrid::ResidueCorrection& correction) {
    for (std::size_t c = 0; c < parts_.size(); ++c) {
      double& part = grid_.parts[correction.parts + c];
      part *= grid_.value[correction.at];
      correction.largest = std::max(correction.largest, std::abs(part));
    }
  }

  static constexpr double kNats = 32;            ///< below its largest value a grid is cut
  static constexpr double kCorrectionNats = 40;  ///< and smaller corrections are nothing
  static constexpr std::size_t kMostPoints = 40'000;

  Means means_;
  std::vector<double> parts_;
  double power_;
  double step_;
  double top_ = kMinusInfinity;
  PoissonLikelihoodGrid grid_;
};

}  // namespace postern::infer
