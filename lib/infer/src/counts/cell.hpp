#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "postern/infer/noise/noisy_value.hpp"

#include "cell_noise.hpp"
#include "numeric/window.hpp"

namespace postern::infer {

/// The weight of one latent count s in 0..most before its cell is tied to the others:
///
///   f(s) = Gamma(s + alpha) / (Gamma(alpha) s!) * prod_j P(noise_j = y_j - s)        (count_posterior.md)
///
/// A *tilt* t multiplies it by e^{t s}. The tilted, normalised weights of all cells together are a product
/// law P_t of independent counts; given their sum it is the posterior for every t, so t is free and is chosen
/// for the arithmetic.
class Cell {
 public:
  Cell(double alpha, std::span<const NoisyValue> noisy_values, std::int64_t most);

  /// log f(s) less log_constant().
  [[nodiscard]] double log_weight(std::int64_t s) const;
  /// What all weights share: a released value of 1e15 must not take their digits. Only the evidence needs it.
  [[nodiscard]] double log_constant() const { return noise_.log_anchor; }

  [[nodiscard]] const CellNoise& noise() const { return noise_; }

  /// Where the tilted weight has all but e^-nats of its mass. Rigorous: see `covers` in the source.
  [[nodiscard]] Window window(double tilt, double nats) const;

  /// Tilted weights on a window: f(s) e^{tilt s} = out[s - lo] e^{log_scale + log_constant()}. The largest is
  /// about 1; each has a relative error of about 1e-15 times the nats it lies below the largest.
  struct Weights {
    std::vector<double> weight;
    double log_scale = 0;
  };
  [[nodiscard]] Weights weights(Window window, double tilt) const;

  /// Log mass (less log_constant()), mean and variance of the tilted weight, from at most a few hundred
  /// points: good to about a percent of the standard deviation, which is all that choosing a tilt needs.
  struct Moments {
    double log_mass = 0;
    double mean = 0;
    double variance = 0;
  };
  [[nodiscard]] Moments moments(double tilt) const;

 private:
  class Tilted;

  double alpha_;
  std::int64_t most_;
  CellNoise noise_;
};

}  // namespace postern::infer
