#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "postern/core/draw.hpp"
#include "postern/core/rng.hpp"

namespace postern {

/// Exact draws from a log-concave law p on the integers lo..hi, known up to a constant, by rejection: flat
/// around the mode, geometric beyond the points where p has dropped by about a factor e (Devroye 2012). A few
/// dozen evaluations however wide the law; about two attempts a draw.
///
/// Law: step(x) = log p(x + 1) / p(x), falling in x, and log_ratio(x, from) = log p(x) / p(from).
template <class Law>
class LogConcave {
 public:
  /// `near`: where the search for the mode begins; any value of the range gives the same law.
  LogConcave(const Law& law, std::int64_t lo, std::int64_t hi, std::int64_t near)
      : law_(law), lo_(lo), hi_(hi) {
    mode_ = find_mode(std::clamp(near, lo, hi));
    up_ = side(hi - mode_, 1);
    down_ = side(mode_ - lo, -1);
  }

  [[nodiscard]] std::int64_t mode() const { return mode_; }

  [[nodiscard]] std::int64_t draw(Rng& rng) const {
    if (lo_ == hi_) return lo_;
    // The mode belongs to the flat part above; the flat part below begins one step further.
    const double flat_down = down_.flat - 1;
    const double whole = up_.flat + up_.tail + flat_down + down_.tail;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      double u = rng.uniform() * whole;
      const bool upwards = u < up_.flat + up_.tail;
      const Side& side = upwards ? up_ : down_;
      if (!upwards) u -= up_.flat + up_.tail;
      const double flat = upwards ? up_.flat : flat_down;
      const double first = upwards ? 0 : 1;
      double offset = 0;
      double log_bound = 0;
      if (u < flat) {
        offset = first + std::floor(u);
      } else {
        offset = side.flat + std::floor(draw_exponential(rng) / side.rate);
        log_bound = -side.rate * offset;
      }
      if (offset > side.most) continue;
      const double x = static_cast<double>(mode_) + (upwards ? offset : -offset);
      if (std::log(rng.uniform()) <= law_.log_ratio(x, static_cast<double>(mode_)) - log_bound)
        return static_cast<std::int64_t>(x);
    }
    return mode_;
  }

 private:
  static constexpr int kAttempts = 2000;  ///< each fails with a probability below 4/5

  /// Offsets from the mode on one side: bounded by 1 below `flat`, by e^{-rate offset} from there on.
  struct Side {
    double most = 0;
    double flat = 1;
    double rate = 0;
    double tail = 0;  ///< sum of the geometric bounds
  };

  [[nodiscard]] double step(std::int64_t x) const { return law_.step(static_cast<double>(x)); }

  /// The least x whose step does not rise: by doubling away from `near`, then bisection.
  [[nodiscard]] std::int64_t find_mode(std::int64_t near) const {
    std::int64_t lo = lo_;
    std::int64_t hi = hi_;
    if (near < hi && step(near) > 0) {
      lo = near + 1;
      for (std::int64_t stride = 1; lo + stride < hi; stride *= 2) {
        if (step(lo + stride) <= 0) {
          hi = lo + stride;
          break;
        }
        lo += stride + 1;
      }
    } else {
      hi = near;
      for (std::int64_t stride = 1; hi - stride >= lo; stride *= 2) {
        if (step(hi - stride) > 0) {
          lo = hi - stride + 1;
          break;
        }
        hi -= stride;
      }
    }
    while (lo < hi) {
      const std::int64_t middle = lo + (hi - lo) / 2;
      if (step(middle) > 0) {
        lo = middle + 1;
      } else {
        hi = middle;
      }
    }
    return lo;
  }

  /// Beyond an offset d at which log p has dropped by h > 0, a concave log p lies below the line through the
  /// mode and there. Best is h about 1: d is first guessed from the two steps next to the mode, slope a and
  /// curvature c, as the root of a d + c d^2 / 2 = 1.
  [[nodiscard]] Side side(std::int64_t most, int direction) const {
    Side out{static_cast<double>(most), static_cast<double>(most) + 1, 0, 0};
    if (most == 0) return out;
    const auto fall = [&](std::int64_t i) { return direction > 0 ? -step(mode_ + i) : step(mode_ - 1 - i); };
    const double a = std::max(fall(0), 0.0);
    const double c = most > 1 ? std::max(fall(1) - a, 0.0) : 0;
    const double guess = 2 / (a + std::sqrt(a * a + 2 * c));
    std::int64_t d =
        guess < static_cast<double>(most) ? std::max<std::int64_t>(std::llround(guess), 1) : most;
    const auto from = static_cast<double>(mode_);
    const auto drop = [&](std::int64_t i) {
      return -law_.log_ratio(from + direction * static_cast<double>(i), from);
    };
    double h = drop(d);
    while (h > 4 && d > 1) h = drop(d = std::max<std::int64_t>(d / 4, 1));
    while (h < 0.6 && d < most) h = drop(d = std::min(2 * d, most));
    if (h < 0.6) return out;
    out.flat = static_cast<double>(d);
    out.rate = h / out.flat;
    out.tail = std::exp(-h) / -std::expm1(-out.rate);
    return out;
  }

  const Law& law_;
  std::int64_t lo_, hi_;
  std::int64_t mode_ = 0;
  Side up_, down_;
};

template <class Law>
[[nodiscard]] std::int64_t draw_log_concave(const Law& law, std::int64_t lo, std::int64_t hi,
                                            std::int64_t near, Rng& rng) {
  return LogConcave<Law>(law, lo, hi, near).draw(rng);
}

}  // namespace postern
