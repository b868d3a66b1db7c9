#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/special.hpp"

#include "counts/cell_noise.hpp"
#include "numeric/window.hpp"

namespace postern::infer {

/// The log of a mean over Poisson counts, and how their remainders weigh.
struct PoissonMean {
  double log = 0;
  bool parted = false;                 ///< their unevenness is known
  double log_uneven = kMinusInfinity;  ///< otherwise a bound on it
};

/// What the noisy values of a count S say about its mean x if S is Poisson: E e^{slope S} prod_j P(noise_j =
/// y_j - S), less CellNoise::log_anchor, as a whole and for the remainders of S modulo a number. Smooth in x,
/// also where the noise has a kink.
class PoissonLikelihood {
 public:
  PoissonLikelihood(const CellNoise& noise, double slope, std::int64_t modulus);

  /// Where it has to sum over counts, `parts` gets the unevenness; elsewhere remainders even out with x.
  [[nodiscard]] PoissonMean mean(double x, std::span<double> parts);
  /// The part of each remainder in the whole, less 1 / modulus.
  void unevenness(double x, std::span<double> parts);

 private:
  /// Counts between neighbouring kinks, where the weight is e^{log_level + rate s}.
  struct Piece {
    Window counts;
    double rate = 0;
    double log_level = 0;
    double factor = 1;  ///< e^rate
    double gain = 0;    ///< factor - 1
  };
  void cut_into_pieces();
  [[nodiscard]] const Piece* alone_in(double x) const;
  [[nodiscard]] double log_step(std::int64_t s) const;
  [[nodiscard]] std::int64_t mode(double x);
  void tabulate(Window counts);
  /// The weights relative to that of the mode: sum.up(...) from the mode upwards, then sum.down(...) from
  /// below it.
  template <class Sum>
  void sum_around(double x, std::int64_t mode, Sum& sum);
  /// The sum of the weights relative to that of the mode; fills the unevenness.
  double split(double x, std::int64_t mode, std::span<double> parts);

  CellNoise noise_;
  double slope_;
  std::int64_t modulus_;
  double slowest_ = 0;         ///< 1 - cos(2 pi / modulus): remainders even out like e^{-slowest x}
  std::vector<Piece> pieces_;  ///< none where a noisy value is Gaussian
  std::int64_t last_mode_;
  Window tabulated_;
  std::vector<double> up_;    ///< from s to s + 1 the weight of s grows by x up(s)
  std::vector<double> down_;  ///< 1 / up
};

}  // namespace postern::infer
