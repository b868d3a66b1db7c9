#include "exact/careful_convolution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "postern/core/fft.hpp"

namespace postern::infer {
namespace {

// A transform is right to about 1e-15 of the largest value only. Under a tilt e^{t i} of both factors the
// result is tilted too, so a t that brings the wanted values to the top makes just those right (Keich 2005;
// Wilson & Keich 2016). We march from the first value to the last, tilt by tilt, and keep from each what its
// error bound allows; what no tilt brings to the top (a valley between two peaks) is summed directly.

constexpr double kRelativeError = 1e-12;

/// One factor, in logarithms.
class Factor {
 public:
  explicit Factor(std::span<const double> x) : log_(x.size()) {
    std::transform(x.begin(), x.end(), log_.begin(), [](double v) { return std::log(v); });
  }

  struct Moments {
    double mean = 0;
    double variance = 0;
  };
  /// Of the tilted factor as a law on 0, 1, ..., from some thousand points of the part that counts.
  [[nodiscard]] Moments moments(double tilt) const {
    const auto value = [&](std::size_t i) { return log_[i] + tilt * static_cast<double>(i); };
    std::size_t from = 0;
    std::size_t to = log_.size();
    double top = -std::numeric_limits<double>::infinity();
    for (;;) {
      const std::size_t stride = 1 + (to - from) / 1000;
      std::size_t first = to;
      std::size_t last = from;
      for (std::size_t i = from; i < to; i += stride) top = std::max(top, value(i));
      for (std::size_t i = from; i < to; i += stride) {
        if (value(i) < top - 40) continue;
        first = std::min(first, i);
        last = i;
      }
      first = first >= from + stride ? first - stride : from;
      last = std::min(last + stride + 1, to);
      if (stride == 1 || 2 * (last - first) > to - from) return moments(tilt, top, from, to, stride);
      from = first;
      to = last;
    }
  }

  /// The tilted factor scaled to a largest value of 1; `log_scale` is what was divided out.
  [[nodiscard]] std::vector<double> tilted(double tilt, double& log_scale) const {
    std::vector<double> out(log_.size());
    double top = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = log_[i] + tilt * static_cast<double>(i);
      top = std::max(top, out[i]);
    }
    for (double& v : out) v = std::exp(v - top);
    log_scale = top;
    return out;
  }

 private:
  [[nodiscard]] Moments moments(double tilt, double top, std::size_t from, std::size_t to,
                                std::size_t stride) const {
    double mass = 0;
    Moments m;
    for (std::size_t i = from; i < to; i += stride) {
      const auto x = static_cast<double>(i);
      const double w = std::exp(log_[i] + tilt * x - top);
      if (!(w > 0)) continue;
      mass += w;
      const double delta = x - m.mean;
      m.mean += delta * w / mass;
      m.variance += w * delta * (x - m.mean);
    }
    m.variance /= mass;
    return m;
  }

  std::vector<double> log_;
};

class Marcher {
 public:
  Marcher(std::span<const double> a, std::span<const double> b) : a_(a), b_(b), log_a_(a), log_b_(b) {}

  /// Fills out from values first + done on; returns how many more are now done, at least one.
  std::size_t advance(std::int64_t at, std::span<double> out) {
    const double here = solve(static_cast<double>(at));
    double reach = 3 * std::sqrt(variance_);
    for (int attempt = 0; attempt < 3; ++attempt, reach /= 3) {
      const double tilt = attempt == 2 ? here : solve(static_cast<double>(at) + reach);
      const std::size_t done = take(tilt, at, out);
      if (done > 0) return done;
    }
    return sum(at, out);
  }

 private:
  /// The tilt under which the mean of the sum is `target`, roughly.
  double solve(double target) {
    double low = -1e9;
    double high = 1e9;
    double tilt = tilt_;
    for (int i = 0; i < 100; ++i) {
      const auto a = log_a_.moments(tilt);
      const auto b = log_b_.moments(tilt);
      variance_ = a.variance + b.variance;
      const double miss = target - (a.mean + b.mean);
      if (std::abs(miss) <= 0.1 * std::sqrt(variance_) + 0.1) break;
      (miss > 0 ? low : high) = tilt;
      const double newton = tilt + miss / std::max(variance_, 1e-3);
      tilt = newton > low && newton < high && i < 30 ? newton : 0.5 * (low + high);
      if (high - low < 1e-14 * std::abs(tilt)) break;
    }
    return tilt_ = tilt;
  }

  /// Values from `at` on that one transform under this tilt gets right; 0 if not even the first.
  std::size_t take(double tilt, std::int64_t at, std::span<double> out) const {
    double log_scale_a = 0;
    double log_scale_b = 0;
    const std::vector<double> a = log_a_.tilted(tilt, log_scale_a);
    const std::vector<double> b = log_b_.tilted(tilt, log_scale_b);
    const double least = transform_error(a, b) / kRelativeError;
    const std::vector<double> c = postern::convolve(a, b);
    const double log_scale = log_scale_a + log_scale_b;
    std::size_t done = 0;
    for (; done < out.size(); ++done) {
      const auto i = static_cast<std::size_t>(at) + done;
      if (!(c[i] >= least)) break;
      out[done] = c[i] * std::exp(log_scale - tilt * static_cast<double>(i));
    }
    return done;
  }

  /// A few values directly.
  std::size_t sum(std::int64_t at, std::span<double> out) const {
    const std::size_t done = std::min<std::size_t>(out.size(), 64);
    for (std::size_t k = 0; k < done; ++k) {
      const std::int64_t r = at + static_cast<std::int64_t>(k);
      const std::int64_t from = std::max<std::int64_t>(0, r - static_cast<std::int64_t>(b_.size()) + 1);
      const std::int64_t to = std::min<std::int64_t>(r, static_cast<std::int64_t>(a_.size()) - 1);
      double total = 0;
      for (std::int64_t i = from; i <= to; ++i)
        total += a_[static_cast<std::size_t>(i)] * b_[static_cast<std::size_t>(r - i)];
      out[k] = total;
    }
    return done;
  }

  std::span<const double> a_;
  std::span<const double> b_;
  Factor log_a_;
  Factor log_b_;
  double tilt_ = 0;
  double variance_ = 0;
};

}  // namespace

std::vector<double> convolve_carefully(std::span<const double> a, std::span<const double> b,
                                       std::int64_t first, std::size_t count) {
  std::vector<double> out(count);
  Marcher marcher(a, b);
  for (std::size_t done = 0; done < count;) {
    done += marcher.advance(first + static_cast<std::int64_t>(done), std::span(out).subspan(done));
  }
  return out;
}

}  // namespace postern::infer
