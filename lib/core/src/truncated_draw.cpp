#include "postern/core/truncated_draw.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include "postern/core/draw.hpp"

namespace postern {
namespace {

/// e^{x^2} erfc(x) for x >= 0 where speed does not matter: directly while erfc has digits, beyond by the
/// continued fraction of the Mills ratio (DLMF 7.9.2).
double careful_scaled_erfc(double x) {
  if (x < 2) return std::exp(x * x) * std::erfc(x);
  double tail = x;
  for (int k = 160; k >= 1; --k) tail = x + 0.5 * k / tail;
  return std::numbers::inv_sqrtpi / tail;
}

/// y = 4 / (4 + x) brings x >= 0 to (0, 1], on which e^{x^2} erfc(x) is smooth: a polynomial for each of
/// equal pieces, through its Chebyshev points.
class ScaledErfcTable {
 public:
  ScaledErfcTable() {
    for (std::size_t piece = 0; piece < kPieces; ++piece) fit(piece);
  }
  [[nodiscard]] double operator()(double x) const {
    const double place = kPieces * 4 / (4 + x);
    const std::size_t piece = std::min(static_cast<std::size_t>(place), kPieces - 1);
    const double t = 2 * (place - static_cast<double>(piece)) - 1;
    const auto& c = powers_[piece];
    const double t2 = t * t;
    const double low = (c[0] + c[1] * t) + t2 * (c[2] + c[3] * t);
    const double high = (c[4] + c[5] * t) + t2 * (c[6] + c[7] * t);
    return low + t2 * t2 * (high + t2 * t2 * c[8]);
  }

 private:
  static constexpr std::size_t kPieces = 64;
  static constexpr std::size_t kTerms = 9;
  std::array<std::array<double, kTerms>, kPieces> powers_{};

  /// e^{x^2} erfc(x) at a place on (0, kPieces]; at infinite x its limit.
  static double value(double place) {
    if (place <= 0) return 0;
    return careful_scaled_erfc(4 * (kPieces / place - 1));
  }

  void fit(std::size_t piece) {
    std::array<double, kTerms> at{};
    std::array<double, kTerms> newton{};
    for (std::size_t i = 0; i < kTerms; ++i) {
      at[i] = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.5) / kTerms);
      newton[i] = value(static_cast<double>(piece) + 0.5 * (at[i] + 1));
    }
    for (std::size_t order = 1; order < kTerms; ++order) {
      for (std::size_t i = kTerms - 1; i >= order; --i)
        newton[i] = (newton[i] - newton[i - 1]) / (at[i] - at[i - order]);
    }
    auto& c = powers_[piece];
    for (std::size_t i = kTerms; i-- > 0;) {  // c(t) <- c(t) (t - at_i) + newton_i
      for (std::size_t k = kTerms - 1; k > 0; --k) c[k] = c[k - 1] - at[i] * c[k];
      c[0] = newton[i] - at[i] * c[0];
    }
  }
};

/// Z given 0 < from < Z < from + width, as the distance from `from`. Exponential proposals of Robert's (1995)
/// rate; uniform ones on an interval too short for them.
double draw_tail_excess(double from, double width, Rng& rng) {
  if (width * from < 2 && width < 1) {
    while (true) {
      const double excess = rng.uniform() * width;
      if (-std::log(rng.uniform()) >= excess * (from + 0.5 * excess)) return excess;
    }
  }
  const double lead = 2 / (from + std::sqrt(from * from + 4));  // rate - from
  const double rate = from + lead;
  const double whole = std::isinf(width) ? 1 : -std::expm1(-rate * width);
  while (true) {
    const double excess = -std::log1p(-rng.uniform() * whole) / rate;
    const double miss = excess - lead;
    if (-2 * std::log(rng.uniform()) >= miss * miss) return excess;
  }
}

/// Z given from < Z < from + width for from <= 0 <= from + width, as the distance from `from`.
double draw_middle_excess(double from, double width, Rng& rng) {
  if (width > 2.5) {
    while (true) {
      const double excess = draw_normal(rng) - from;
      if (excess > 0 && excess < width) return excess;
    }
  }
  while (true) {
    const double excess = rng.uniform() * width;
    const double z = from + excess;
    if (-2 * std::log(rng.uniform()) >= z * z) return excess;
  }
}

}  // namespace

double scaled_erfc(double x) {
  static const ScaledErfcTable table;
  if (x < 0) return 2 * std::exp(x * x) - scaled_erfc(-x);
  if (x < 100) return table(x);
  const double part = 0.5 / (x * x);  // the asymptotic series, DLMF 7.12.1
  return std::numbers::inv_sqrtpi / x * (1 - part * (1 - 3 * part * (1 - 5 * part)));
}

double log_normal_cdf(double x) {
  if (x > 0) return std::log1p(-0.5 * std::erfc(x / std::numbers::sqrt2));
  return std::log(0.5 * scaled_erfc(-x / std::numbers::sqrt2)) - 0.5 * x * x;
}

double draw_normal_excess(double from, Rng& rng) {
  if (from > 0.4) return draw_tail_excess(from, std::numeric_limits<double>::infinity(), rng);
  while (true) {
    const double excess = draw_normal(rng) - from;
    if (excess > 0) return excess;
  }
}

double draw_truncated_normal(double mean, double deviation, double lo, double hi, Rng& rng) {
  if (!(deviation > 0) || !(lo < hi)) return std::clamp(mean, lo, hi);
  if (hi < mean) return -draw_truncated_normal(-mean, deviation, -hi, -lo, rng);
  const double from = (lo - mean) / deviation;
  if (std::isinf(from) && from > 0) return lo;
  if (std::isinf(lo)) {
    while (true) {  // hi is not below the mean
      const double x = mean + deviation * draw_normal(rng);
      if (x < hi) return x;
    }
  }
  const double width = (hi - lo) / deviation;
  const double excess = from > 0 ? draw_tail_excess(from, width, rng) : draw_middle_excess(from, width, rng);
  return std::clamp(lo + deviation * excess, lo, hi);
}

}  // namespace postern
