#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "noise_transform.hpp"

namespace postern::infer {

// Laws of sums on points that are a pitch apart.

/// origin + pitch i
struct EvenGrid {
  double origin = 0;
  double pitch = 1;
};

/// The widest pitch at which noise on sums of n that are misplaced between points adds no more than this
/// error to a logarithm. At a kink a share H (rate + 1 / deviation) of the sums is so near that a misplaced
/// record counts, by at most rate H / 8 and with either sign; a parabola is missed by n (H / sigma)^4 / 65.
[[nodiscard]] double noise_pitch(const SumNoise& noise, double n, double deviation, double error);

/// Down to one of four pitches an octave. Points that changed with every theta would make a different error
/// at each, and the log density of theta small steps everywhere.
[[nodiscard]] double one_of_few_pitches(double pitch);

/// The same noise at every sum from least to most, without kinks there that only misplaced sums would see.
[[nodiscard]] SumNoise without_end_kinks(const SumNoise& noise, double least, double most, double margin);

/// A place between two points as weights of the four around it that keep its first three moments.
struct CubicWeights {
  explicit CubicWeights(double x);

  std::int64_t first = 0;
  std::array<double, 4> weight{};
};

/// g at points: geometric, from its higher end, where no kink and no parabola is between them.
void fill_noise(const TiltedNoise& g, const EvenGrid& points, std::span<double> out);

/// By how much a sum over points, relative to the mass of one of them, exceeds the integral of a smooth law
/// against g, where this kink lies a part t of the pitch past a point: -(H^2 / 2) B_2 times the jump of the
/// slope (Euler and Maclaurin).
[[nodiscard]] double kink_excess(const TiltedNoise& g, const SumNoise::Kink& kink, double t, double pitch);

}  // namespace postern::infer
