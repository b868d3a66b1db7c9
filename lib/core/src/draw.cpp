#include "postern/core/draw.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "postern/core/int128.hpp"

namespace postern {
namespace {

/// Layers of equal area under exp(-x^2/2), the widest first (Marsaglia & Tsang 2000b). Layer 0 is the base
/// strip with the tail beyond kTail folded in, so its box is wider than kTail.
struct Ziggurat {
  static constexpr int kLayers = 256;
  static constexpr double kTail = 3.6541528853610088;
  std::array<double, kLayers + 1> x{};  ///< right edge of layer i; x[kLayers] = 0
  std::array<double, kLayers + 1> y{};  ///< density at x[i]

  Ziggurat() {
    const auto density = [](double at) { return std::exp(-0.5 * at * at); };
    const double area =
        kTail * density(kTail) + std::sqrt(std::numbers::pi / 2) * std::erfc(kTail / std::numbers::sqrt2);
    x[0] = area / density(kTail);
    x[1] = kTail;
    for (std::size_t i = 1; i < kLayers - 1; ++i) {
      x[i + 1] = std::sqrt(-2 * std::log(area / x[i] + density(x[i])));
    }
    x[kLayers] = 0;
    for (std::size_t i = 0; i <= kLayers; ++i) y[i] = density(x[i]);
  }
};

/// |Z| given |Z| > start (Marsaglia 1964).
double draw_normal_tail(double start, Rng& rng) {
  while (true) {
    const double extra = draw_exponential(rng) / start;
    if (2 * draw_exponential(rng) > extra * extra) return start + extra;
  }
}

/// log1p(w) - w + w^2/2 - w^3/3, without cancellation for small w.
double log1p_remainder(double w) {
  if (std::abs(w) > 0.05) return std::log1p(w) - w * (1 - w * (0.5 - w / 3));
  double sum = 0;
  for (int k = 15; k >= 4; --k) sum = (k % 2 == 0 ? -1.0 : 1.0) / k + w * sum;
  const double square = w * w;
  return square * square * sum;
}

struct GammaDraw {
  double scale;  ///< shape - 1/3
  double root;   ///< the draw is scale * root^3
};

/// Marsaglia & Tsang 2000a, shape >= 1. The acceptance is written as a remainder of log(1 + w), since their
/// form loses all digits for shapes near 1e12.
GammaDraw draw_gamma_cube(double shape, Rng& rng) {
  const double scale = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * scale);
  while (true) {
    const double x = draw_normal(rng);
    const double w = c * x;
    if (w <= -1) continue;
    const double u = rng.uniform();
    if (u < 1 - 0.0331 * (x * x) * (x * x) || std::log(u) < 3 * scale * log1p_remainder(w))
      return {scale, 1 + w};
  }
}

}  // namespace

double draw_normal(Rng& rng) {
  static const Ziggurat zig;
  while (true) {
    const std::uint64_t bits = rng();
    const auto layer = static_cast<std::size_t>(bits & 255);
    const double sign = (bits & 256) != 0 ? -1 : 1;
    const double x = (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52 * zig.x[layer];
    if (x < zig.x[layer + 1]) return sign * x;
    if (layer == 0) return sign * draw_normal_tail(Ziggurat::kTail, rng);
    const double height = zig.y[layer] + rng.uniform() * (zig.y[layer + 1] - zig.y[layer]);
    if (height < std::exp(-0.5 * x * x)) return sign * x;
  }
}

double draw_exponential(Rng& rng) { return -std::log(rng.uniform()); }

double draw_gamma(double shape, Rng& rng) {
  if (shape < 1) return std::exp(draw_log_gamma(shape, rng));
  const GammaDraw g = draw_gamma_cube(shape, rng);
  return g.scale * g.root * g.root * g.root;
}

double draw_log_gamma(double shape, Rng& rng) {
  // G(a) = G(a+1) U^(1/a), in logarithms because U^(1/a) underflows for small a (Marsaglia & Tsang 2000a,
  // section 6).
  const GammaDraw g = draw_gamma_cube(shape < 1 ? shape + 1 : shape, rng);
  const double log_draw = std::log(g.scale) + 3 * std::log(g.root);
  return shape < 1 ? log_draw - draw_exponential(rng) / shape : log_draw;
}

double draw_beta(double a, double b, Rng& rng) {
  if (a >= 1 && b >= 1) {
    const double left = draw_gamma(a, rng);
    return left / (left + draw_gamma(b, rng));
  }
  const double left = draw_log_gamma(a, rng);
  const double right = draw_log_gamma(b, rng);
  return 1 / (1 + std::exp(right - left));
}

void draw_dirichlet(std::span<const double> alpha, std::span<double> theta, Rng& rng) {
  if (alpha.empty()) return;
  const bool direct = std::all_of(alpha.begin(), alpha.end(), [](double a) { return a >= 1; });
  for (std::size_t k = 0; k < alpha.size(); ++k) {
    theta[k] = direct ? draw_gamma(alpha[k], rng) : draw_log_gamma(alpha[k], rng);
  }
  const double shift = direct ? 0 : *std::max_element(theta.begin(), theta.end());
  double total = 0;
  for (double& t : theta) {
    if (!direct) t = std::exp(t - shift);
    total += t;
  }
  const double scale = 1 / total;
  for (double& t : theta) t *= scale;
}

std::uint64_t draw_below(std::uint64_t bound, Rng& rng) {
  // Lemire 2019: the high word of a product is uniform once the few low words that favour some cells are
  // refused.
  Uint128 product = static_cast<Uint128>(rng()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t refused = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < refused) product = static_cast<Uint128>(rng()) * bound;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

}  // namespace postern
