#include "poisson_likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

constexpr double kNats = 40;
constexpr std::int64_t kEndless = std::int64_t{1} << 52;

/// Is P(S <= k), or P(S >= k), of a Poisson variable below e^-kNats? By Chernoff's bound and
/// k log(k / mean) - k + mean >= (k - mean)^2 / (2 max(k, mean)).
bool far_from(double k, double mean) { return (k - mean) * (k - mean) > 2 * kNats * std::max(k, mean); }

struct Whole {
  double sum = 0;
  void up(double weight) { sum += weight; }
  void down(double weight) { sum += weight; }
};

struct ByRemainder {
  std::span<double> sums;
  std::size_t next;   ///< of the next weight upwards
  std::size_t after;  ///< of the one above the next weight downwards
  void up(double weight) {
    sums[next] += weight;
    if (++next == sums.size()) next = 0;
  }
  void down(double weight) {
    after = (after == 0 ? sums.size() : after) - 1;
    sums[after] += weight;
  }
};

}  // namespace

PoissonLikelihood::PoissonLikelihood(const CellNoise& noise, double slope, std::int64_t modulus)
    : noise_(noise),
      slope_(slope),
      modulus_(modulus),
      slowest_(1 - std::cos(2 * std::numbers::pi / static_cast<double>(modulus))),
      last_mode_(static_cast<std::int64_t>(noise.anchor)) {
  if (!(noise_.curvature > 0) && noise_.bands.empty()) cut_into_pieces();
}

void PoissonLikelihood::cut_into_pieces() {
  std::vector<std::int64_t> ends;
  for (const CellNoise::Kink& kink : noise_.kinks)
    ends.push_back(static_cast<std::int64_t>(std::floor(kink.at)));
  std::sort(ends.begin(), ends.end());
  ends.push_back(kEndless);
  std::int64_t from = 0;
  for (const std::int64_t end : ends) {
    if (end < from) continue;
    if (end > from) {
      const double rate = log_step(from);
      const auto first = static_cast<double>(from);
      pieces_.push_back({{from, end},
                         rate,
                         noise_.log_at(first) + (slope_ - rate) * first,
                         std::exp(rate),
                         std::expm1(rate)});
    }
    from = end + 1;
  }
}

double PoissonLikelihood::log_step(std::int64_t s) const {
  const auto x = static_cast<double>(s);
  return slope_ + noise_.log_ratio(x + 1, x);
}

/// The piece that holds all but e^-kNats of the weights. These are concave in logarithms, so that no weight
/// is above what a piece would give it if it went on for ever: a Poisson law of mean x e^rate.
const PoissonLikelihood::Piece* PoissonLikelihood::alone_in(double x) const {
  for (const Piece& piece : pieces_) {
    const double mean = x * piece.factor;
    const auto below = static_cast<double>(piece.counts.lo) - 1;
    const auto above = static_cast<double>(piece.counts.hi) + 1;
    const bool starts = below < 0 || (below < mean && far_from(below, mean));
    if (starts && above > mean && far_from(above, mean)) return &piece;
  }
  return nullptr;
}

PoissonMean PoissonLikelihood::mean(double x, std::span<double> parts) {
  if (const Piece* piece = alone_in(x)) {
    // P(S = c mod m) - 1/m is the mean of m - 1 waves of height e^{-(1 - cos(2 pi j / m)) mean}.
    const double log_uneven = -slowest_ * x * piece->factor;
    const bool even = modulus_ == 1 || log_uneven < -kNats;
    return {piece->log_level + x * piece->gain, false, even ? kMinusInfinity : log_uneven};
  }
  const std::int64_t top = mode(x);
  constexpr std::int64_t kMost = 10'000'000'000;  // sums around larger counts are too long
  if (top > kMost) return {std::nan(""), false, 0};
  double sum = 0;
  if (modulus_ == 1) {
    Whole whole;
    sum_around(x, top, whole);
    sum = whole.sum;
  } else {
    sum = split(x, top, parts);
  }
  const auto s = static_cast<double>(top);
  return {poisson_log_pmf(s, x) + slope_ * s + noise_.log_at(s) + std::log(sum), modulus_ > 1,
          kMinusInfinity};
}

void PoissonLikelihood::unevenness(double x, std::span<double> parts) { split(x, mode(x), parts); }

double PoissonLikelihood::split(double x, std::int64_t mode, std::span<double> parts) {
  std::fill(parts.begin(), parts.end(), 0.0);
  const auto remainder = static_cast<std::size_t>(mode % modulus_);
  ByRemainder sums{parts, remainder, remainder};
  sum_around(x, mode, sums);
  double whole = 0;
  for (const double part : parts) whole += part;
  for (double& part : parts) part = part / whole - 1 / static_cast<double>(modulus_);
  return whole;
}

/// Galloping from the mode of the last x: weights are concave in logarithms.
std::int64_t PoissonLikelihood::mode(double x) {
  const double log_x = std::log(x);
  const auto rises = [&](std::int64_t s) {
    return log_x + log_step(s) > std::log(static_cast<double>(s) + 1);
  };
  std::int64_t low = last_mode_;
  std::int64_t high = last_mode_;
  if (rises(last_mode_)) {
    std::int64_t stride = 1;
    while (rises(high) && high < kEndless) {
      low = high + 1;
      high += stride;
      stride *= 2;
    }
  } else {
    std::int64_t stride = 1;
    while (low > 0 && !rises(low - 1)) {
      high = low - 1;
      low = std::max<std::int64_t>(0, low - stride);
      stride *= 2;
    }
  }
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (rises(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return last_mode_ = low;
}

void PoissonLikelihood::tabulate(Window counts) {
  if (counts.lo >= tabulated_.lo && counts.hi <= tabulated_.hi) return;
  const auto spare = static_cast<std::int64_t>(counts.size());
  tabulated_ =
      tabulated_.empty()
          ? counts
          : Window{counts.lo < tabulated_.lo ? std::max<std::int64_t>(0, counts.lo - spare) : tabulated_.lo,
                   counts.hi > tabulated_.hi ? counts.hi + spare : tabulated_.hi};
  up_ = std::vector<double>(tabulated_.size());  // nothing to keep
  down_ = std::vector<double>(tabulated_.size());
  double log_last = 0;  // between kinks all steps are the same
  double last = 1;
  for (std::int64_t s = tabulated_.lo; s <= tabulated_.hi; ++s) {
    const auto i = static_cast<std::size_t>(s - tabulated_.lo);
    if (const double step = log_step(s); step != log_last) {
      log_last = step;
      last = std::exp(step);
    }
    up_[i] = last / (static_cast<double>(s) + 1);
    down_[i] = (static_cast<double>(s) + 1) / last;
  }
}

/// The weights fall from the mode at least as fast as those of a Poisson law with that mode.
template <class Sum>
void PoissonLikelihood::sum_around(double x, std::int64_t mode, Sum& sum) {
  const auto reach = static_cast<std::int64_t>(9.5 * std::sqrt(static_cast<double>(mode) + 1) + 60);
  const Window counts{std::max<std::int64_t>(0, mode - reach), mode + reach};
  tabulate(counts);
  const double* up = up_.data() - tabulated_.lo;
  const double* down = down_.data() - tabulated_.lo;
  constexpr double kNothing = 1e-18;
  // Four at a time: each weight waits for one product, not for four.
  constexpr std::int64_t kTogether = 4;
  double weight = 1;
  std::int64_t s = mode;
  for (; weight >= kNothing && s + kTogether <= counts.hi; s += kTogether) {
    const double r1 = x * up[s];
    const double r2 = r1 * (x * up[s + 1]);
    const double r3 = x * up[s + 2];
    const double r4 = r3 * (x * up[s + 3]);
    sum.up(weight);
    sum.up(weight * r1);
    sum.up(weight * r2);
    sum.up(weight * (r2 * r3));
    weight *= r2 * r4;
  }
  for (; weight >= kNothing; ++s) {
    sum.up(weight);
    if (s == counts.hi) break;
    weight *= x * up[s];
  }
  weight = 1;
  const double inverse = 1 / x;
  for (s = mode; weight >= kNothing && s - kTogether >= counts.lo; s -= kTogether) {
    const double r1 = inverse * down[s - 1];
    const double r2 = r1 * (inverse * down[s - 2]);
    const double r3 = inverse * down[s - 3];
    const double r4 = r3 * (inverse * down[s - 4]);
    sum.down(weight * r1);
    sum.down(weight * r2);
    sum.down(weight * (r2 * r3));
    weight *= r2 * r4;
    sum.down(weight);
  }
  for (; s > counts.lo && weight >= kNothing; --s) {
    weight *= inverse * down[s - 1];
    sum.down(weight);
  }
}

}  // namespace postern::infer
