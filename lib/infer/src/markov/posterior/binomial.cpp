#include "markov/posterior/binomial.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

namespace postern::infer::markov {
namespace {

/// P(X <= x) and P(X > x).
double lower(double x, double n, double p) {
  if (x < 0) return 0;
  return x >= n ? 1 : beta_cdf(n - x, x + 1, 1 - p);
}
double upper(double x, double n, double p) {
  if (x < 0) return 1;
  return x >= n ? 0 : beta_cdf(x + 1, n - x, p);
}
double mass(double x, double n, double p) {
  return std::exp(log_choose(n, x) + x * std::log(p) + (n - x) * std::log1p(-p));
}

}  // namespace

std::int64_t binomial_quantile(std::int64_t n, double p, Uniform u) {
  if (n == 0 || !(p > 0)) return 0;
  if (p >= 1) return n;
  const auto size = static_cast<double>(n);
  const double sd = std::sqrt(size * p * (1 - p));
  const double z = normal_quantile(std::clamp(u.tail, 1e-300, 0.5)) * (u.upper ? -1 : 1);
  double x = std::clamp(std::floor(size * p + z * sd + (1 - 2 * p) * (z * z - 1) / 6), 0.0, size);
  // Is x, or what lies below it, far enough? The least x whose lower part is at least u.
  const auto reaches = [&](double part) { return u.upper ? part <= u.tail : part >= u.tail; };
  double part = u.upper ? upper(x, size, p) : lower(x, size, p);
  double own = mass(x, size, p);
  const double odds = p / (1 - p);
  if (reaches(part)) {
    while (x > 0) {
      const double below = u.upper ? part + own : part - own;
      if (!reaches(below)) break;
      part = below;
      own *= x / ((size - x + 1) * odds);
      x -= 1;
    }
  } else {
    while (x < size && !reaches(part)) {
      own *= (size - x) * odds / (x + 1);
      x += 1;
      part += u.upper ? -own : own;
    }
  }
  return static_cast<std::int64_t>(x);
}

Uniform draw_uniform_given(std::int64_t x, std::int64_t n, double p, Rng& rng) {
  const double within = rng.uniform();
  const auto at = static_cast<double>(x);
  const auto size = static_cast<double>(n);
  Uniform out;
  if (n == 0 || !(p > 0) || p >= 1) {
    out = {within, false};
  } else {
    const double own = mass(at, size, p);
    out.upper = at > size * p;
    out.tail = out.upper ? upper(at, size, p) + within * own : lower(at - 1, size, p) + within * own;
  }
  if (out.tail > 0.5) out = {1 - out.tail, !out.upper};
  return out;
}

}  // namespace postern::infer::markov
