#pragma once

#include <optional>
#include <variant>

#include "postern/core/int128.hpp"
#include "postern/core/rng.hpp"
#include "postern/model/measurement.hpp"

namespace postern::release {

/// The law the noise was drawn from, as the analyst needs it: log pmf, variance, simulation. Floating point
/// is harmless here (nothing is released); the exact samplers are the owner's.
class DiscreteLaplace {  // P(k) = tanh(lambda/2) exp(-lambda |k|)
 public:
  explicit DiscreteLaplace(double lambda);
  [[nodiscard]] double lambda() const { return lambda_; }
  [[nodiscard]] double log_pmf(double k) const;
  [[nodiscard]] double variance() const;
  [[nodiscard]] Int128 simulate(Rng& rng) const;
  /// Least r >= 0 with P(|K| > r) <= e^-log_odds.
  [[nodiscard]] double radius(double log_odds) const;

 private:
  double lambda_;
  double log_norm_;
};

class DiscreteGaussian {  // P(k) ~ exp(-k^2 / (2 sigma2)) on the integers
 public:
  explicit DiscreteGaussian(double sigma2);
  [[nodiscard]] double sigma2() const { return sigma2_; }
  [[nodiscard]] double log_pmf(double k) const;
  [[nodiscard]] double variance() const;
  [[nodiscard]] Int128 simulate(Rng& rng) const;
  /// An r with P(|K| > r) <= e^-log_odds, past the least one by at most 0.4 sigma / log_odds^1.5 + 1
  /// (log_odds >= 1).
  [[nodiscard]] double radius(double log_odds) const;

 private:
  double sigma2_;
  double log_norm_;
};

/// Noise on the real line, which our own gate never adds: of releases made elsewhere. What such a value says
/// of an integer has the shape that discrete noise has; the value need not be whole. A mass is a density
/// here.
class Laplace {  // p(x) = exp(-|x| / scale) / (2 scale)
 public:
  explicit Laplace(double scale);
  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] double log_pmf(double x) const;
  [[nodiscard]] double variance() const { return 2 * scale_ * scale_; }
  /// To the nearest whole number: for starting points.
  [[nodiscard]] Int128 simulate(Rng& rng) const;
  [[nodiscard]] double radius(double log_odds) const;

 private:
  double scale_;
};

class Gaussian {  // p(x) ~ exp(-x^2 / (2 sigma2))
 public:
  explicit Gaussian(double sigma2);
  [[nodiscard]] double sigma2() const { return sigma2_; }
  [[nodiscard]] double log_pmf(double x) const;
  [[nodiscard]] double variance() const { return sigma2_; }
  /// To the nearest whole number: for starting points.
  [[nodiscard]] Int128 simulate(Rng& rng) const;
  [[nodiscard]] double radius(double log_odds) const;

 private:
  double sigma2_;
};

/// Closed: a new law is a compile error in every engine that forgot it.
using NoiseLaw = std::variant<DiscreteLaplace, DiscreteGaussian, Laplace, Gaussian>;

/// How a law falls, which is all that most engines need: its log falls by `rate` a unit of |k|, or by
/// precision k^2 / 2. One of the two is 0.
struct NoiseShape {
  double rate = 0;
  double precision = 0;
};
[[nodiscard]] NoiseShape shape(const NoiseLaw& law);
/// Is its noise a whole number?
[[nodiscard]] bool is_discrete(const NoiseLaw& law);

/// @pre the noise is added to a statistic.
[[nodiscard]] NoiseLaw noise_law(const model::Noise& noise);
/// Its standard deviation; nothing for a choice among candidates.
[[nodiscard]] std::optional<double> noise_sd(const model::Noise& noise);
[[nodiscard]] double log_pmf(const NoiseLaw& law, double k);
[[nodiscard]] double variance(const NoiseLaw& law);
[[nodiscard]] double radius(const NoiseLaw& law, double log_odds);
[[nodiscard]] Int128 simulate(const NoiseLaw& law, Rng& rng);

}  // namespace postern::release
