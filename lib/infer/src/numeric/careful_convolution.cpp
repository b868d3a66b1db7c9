#include "careful_convolution.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
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
  Marcher(std::span<const double> a, std::span<const double> b) : log_a_(a), log_b_(b) {}

  /// Fills out with values from `at` on; returns how many, 0 if no tilt brings the first of them to the top.
  std::size_t advance(std::int64_t at, std::span<double> out) {
    const double here = solve(static_cast<double>(at));
    double reach = 3 * std::sqrt(variance_);
    for (int attempt = 0; attempt < 3; ++attempt, reach /= 3) {
      const double tilt = attempt == 2 ? here : solve(static_cast<double>(at) + reach);
      const std::size_t done = take(tilt, at, out);
      if (done > 0) return done;
    }
    return 0;
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

  Factor log_a_;
  Factor log_b_;
  double tilt_ = 0;
  double variance_ = 0;
};

void add_to(std::vector<double>& a, const std::vector<double>& b) {
  std::transform(a.begin(), a.end(), b.begin(), a.begin(), std::plus<>());
}

bool any_positive(std::span<const double> x) {
  return std::any_of(x.begin(), x.end(), [](double v) { return v > 0; });
}

/// Values first .. of a * b, `head` being what to take off if no tilt helps.
std::vector<double> march(std::span<const double> a, std::span<const double> b, std::int64_t first,
                          std::size_t count, std::size_t head) {
  const std::int64_t end = static_cast<std::int64_t>(a.size() + b.size()) - 1;
  const std::int64_t skipped = std::max<std::int64_t>(0, -first);
  std::vector<double> out(count, 0.0);
  if (count == 0 || first + static_cast<std::int64_t>(count) <= 0 || first >= end) return out;
  if (!any_positive(a) || !any_positive(b)) return out;
  if (2 * head >= std::min(a.size(), b.size())) return convolve_directly(a, b, first, count);
  const std::int64_t last = std::min(end, first + static_cast<std::int64_t>(count));
  const std::span<double> wanted = std::span(out).subspan(static_cast<std::size_t>(skipped),
                                                          static_cast<std::size_t>(last - first - skipped));
  Marcher marcher(a, b);
  std::size_t done = 0;
  while (done < wanted.size()) {
    const std::size_t more =
        marcher.advance(first + skipped + static_cast<std::int64_t>(done), wanted.subspan(done));
    if (more == 0) break;
    done += more;
  }
  if (done == wanted.size()) return out;
  // heads * all + tails * head + tails * tails
  const std::span<double> rest = wanted.subspan(done);
  const std::int64_t at = first + skipped + static_cast<std::int64_t>(done);
  const auto shift = static_cast<std::int64_t>(head);
  std::vector<double> sum = convolve_directly(a.first(head), b, at, rest.size());
  add_to(sum, convolve_directly(a.subspan(head), b.first(head), at - shift, rest.size()));
  add_to(sum, march(a.subspan(head), b.subspan(head), at - 2 * shift, rest.size(), 8 * head));
  std::copy(sum.begin(), sum.end(), rest.begin());
  return out;
}

}  // namespace

std::vector<double> convolve_directly(std::span<const double> a, std::span<const double> b,
                                      std::int64_t first, std::size_t count) {
  if (a.size() < b.size()) std::swap(a, b);
  std::vector<double> out(count, 0.0);
  if (count == 1) {
    const std::int64_t from = std::max<std::int64_t>(0, first + 1 - static_cast<std::int64_t>(a.size()));
    const std::int64_t to = std::min(first + 1, static_cast<std::int64_t>(b.size()));
    for (std::int64_t i = from; i < to; ++i) {
      out[0] += b[static_cast<std::size_t>(i)] * a[static_cast<std::size_t>(first - i)];
    }
    return out;
  }
  const auto end = first + static_cast<std::int64_t>(count);
  for (std::size_t i = 0; i < b.size(); ++i) {
    const auto shift = static_cast<std::int64_t>(i);
    const std::int64_t from = std::max(first, shift);
    const std::int64_t to = std::min(end, shift + static_cast<std::int64_t>(a.size()));
    const double weight = b[i];
    const double* source = a.data() + (from - shift);
    double* target = out.data() + (from - first);
    for (std::int64_t j = 0; j < to - from; ++j) target[j] += weight * source[j];
  }
  return out;
}

std::vector<double> convolve_carefully(std::span<const double> a, std::span<const double> b,
                                       std::int64_t first, std::size_t count) {
  return march(a, b, first, count, 64);
}

}  // namespace postern::infer
