#include "noise_tail.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "postern/core/special.hpp"

#include "saddle_point.hpp"

namespace postern::infer {
namespace {

using release::DiscreteGaussian;
using release::DiscreteLaplace;
using release::Gaussian;
using release::NoiseLaw;

constexpr double kFarthest = 12;      ///< deviations that a table goes out to
constexpr std::size_t kPoints = 224;  ///< from two deviations below the mean
constexpr double kLeast = -690;       ///< nats: the least probability

/// Of |e|, or of e, for both laws of that shape; `high` is where it ends.
struct LaplaceCumulant {
  double rate;  ///< of the fall of one step, or of one scale
  bool whole;
  bool absolute;

  [[nodiscard]] Cumulant operator()(double s) const {
    if (!whole) {
      const double b = 1 / rate;
      if (absolute) return {-std::log1p(-b * s), b / (1 - b * s), b * b / ((1 - b * s) * (1 - b * s))};
      const double square = b * s * b * s;
      return {-std::log1p(-square), 2 * b * b * s / (1 - square),
              2 * b * b * (1 + square) / ((1 - square) * (1 - square))};
    }
    const double a = std::exp(-rate);
    const double up = std::exp(s - rate);
    const double fall = -std::expm1(s - rate);  // 1 - up
    if (absolute) {
      const double both = fall * (1 + up);
      return {std::log((1 - a) / (1 + a)) + std::log1p(up) - std::log(fall), 2 * up / both,
              2 * up * (1 + up * up) / (both * both)};
    }
    const double down = std::exp(-s - rate);
    return {2 * std::log1p(-a) - std::log(fall) - std::log1p(-down), up / fall - down / (1 - down),
            up / (fall * fall) + down / ((1 - down) * (1 - down))};
  }
};

/// log P(e >= x) of one whole Gaussian noise, x >= 1.
double log_tail_of(const DiscreteGaussian& law, double x) {
  constexpr double kSummed = 2500;
  if (law.sigma2() > kSummed)
    return std::log(std::max(0.5 * std::erfc((x - 0.5) / std::sqrt(2 * law.sigma2())), 1e-300));
  double sum = 0;
  for (double j = 0;; ++j) {
    const double term = std::exp(-(2 * j * x + j * j) / (2 * law.sigma2()));
    sum += term;
    if (term < 1e-17 * sum) break;
  }
  return law.log_pmf(x) + std::log(sum);
}

/// log P(|e| >= x) of one noise.
double log_tail_of_one(const NoiseLaw& law, double x) {
  if (!(x > 0)) return 0;
  const auto [rate, precision] = release::shape(law);
  if (const auto* gaussian = std::get_if<DiscreteGaussian>(&law))
    return std::min(0.0, std::numbers::ln2 + log_tail_of(*gaussian, x));
  if (std::holds_alternative<DiscreteLaplace>(law))
    return std::numbers::ln2 - rate * x - std::log1p(std::exp(-rate));
  if (rate > 0) return -rate * x;
  return std::log(std::max(std::erfc(x * std::sqrt(precision / 2)), 1e-300));
}

/// P(sum of squares >= t) at t = 0, 1, ... of few whole Gaussian noises of small variance.
std::optional<std::vector<double>> listed_squares(const DiscreteGaussian& law, std::size_t count) {
  constexpr double kMostValues = 4096;
  constexpr double kMostSteps = 3e7;
  const auto k = static_cast<double>(count);
  const double values = (k + 60 + 14 * std::sqrt(2 * k)) * law.sigma2() + 80;
  const double reach = std::ceil(9 * std::sqrt(law.sigma2())) + 1;
  if (values > kMostValues || k * values * reach > kMostSteps) return std::nullopt;
  const auto size = static_cast<std::size_t>(values);
  std::vector<double> pmf(size, 0);
  pmf[0] = 1;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> next(size, 0);
    for (std::size_t e = 0; static_cast<double>(e) <= reach; ++e) {
      const double p = (e == 0 ? 1 : 2) * std::exp(law.log_pmf(static_cast<double>(e)));
      for (std::size_t t = e * e; t < size; ++t) next[t] += p * pmf[t - e * e];
    }
    pmf = std::move(next);
  }
  for (std::size_t t = size - 1; t-- > 0;) pmf[t] += pmf[t + 1];
  return pmf;
}

}  // namespace

double size_of(const NoiseLaw& law, double noise) {
  return release::shape(law).rate > 0 ? std::abs(noise) : noise * noise;
}

template <class LogTail>
NoiseTail::NoiseTail(double from, double step, std::size_t points, const LogTail& log_tail)
    : from_(from), step_(step) {
  for (std::size_t i = 0; i < points; ++i) {
    const double before = i == 0 ? 0 : log_tail_.back();
    log_tail_.push_back(std::clamp(log_tail(from + static_cast<double>(i) * step), kLeast, before));
  }
}

double NoiseTail::at(double x) const {
  if (!(x > from_)) return 1;
  const double place = (x - from_) / step_;
  const auto last = static_cast<double>(log_tail_.size() - 1);
  const auto i = static_cast<std::size_t>(std::min(place, last - 1));
  const double left = log_tail_[i];
  const double slope = log_tail_[i + 1] - left;
  return std::exp(std::max(left + slope * (place - static_cast<double>(i)), kLeast));
}

NoiseTail NoiseTail::of_sum(const NoiseLaw& law, std::size_t count) {
  const auto [rate, precision] = release::shape(law);
  const auto k = static_cast<double>(count);
  const bool whole = release::is_discrete(law);
  const double sd = std::sqrt(k * release::variance(law));
  const double reach = count == 1 && rate > 0 ? 60 / rate : (kFarthest + 4) * sd + 4;
  // Whole sums one by one where they are few.
  const double step = whole ? std::max(1.0, std::round(reach / kPoints)) : reach / kPoints;
  const auto points = static_cast<std::size_t>(reach / step) + 2;
  if (count == 1) return {0, step, points, [&](double x) { return log_tail_of_one(law, x); }};
  if (rate == 0) {
    NoiseLaw together = Gaussian(k / precision);
    if (whole) together = DiscreteGaussian(k / precision);
    return {0, step, points, [&, together](double x) { return log_tail_of_one(together, x); }};
  }
  const LaplaceCumulant cumulant{rate, whole, false};
  return {0, step, points, [&](double x) {
            if (!(x > 0.02 * sd)) return 0.0;
            return std::numbers::ln2 + log_saddle_tail(cumulant, k, x, 0, rate, whole);
          }};
}

NoiseTail NoiseTail::of_size(const NoiseLaw& law, std::size_t count) {
  const auto [rate, precision] = release::shape(law);
  const auto k = static_cast<double>(count);
  const bool whole = release::is_discrete(law);
  if (const auto* gaussian = std::get_if<DiscreteGaussian>(&law)) {
    if (const auto listed = listed_squares(*gaussian, count))
      return {0, 1, listed->size(),
              [&](double x) { return std::log(std::max((*listed)[static_cast<std::size_t>(x)], 1e-300)); }};
  }
  if (rate == 0) {
    const double sd = std::sqrt(2 * k) / precision;
    const double from = std::max(0.0, k / precision - 2 * sd);
    const double end = (k + 60) / precision + (kFarthest + 4) * sd;
    return {from, (end - from) / kPoints, kPoints, [&](double x) {
              const double half = whole && count > 1 ? 0.5 : 0;
              return std::log(std::max(chi_square_tail(std::max(x - half, 0.0) * precision, k), 1e-300));
            }};
  }
  if (count == 1) return of_sum(law, 1);
  const LaplaceCumulant cumulant{rate, whole, true};
  const Cumulant one = cumulant(0);
  const double sd = std::sqrt(k * one.variance);
  double from = std::max(0.0, k * one.mean - 2 * sd);
  const double reach = k * one.mean + (kFarthest + 4) * sd + 40 / rate - from;
  double step = reach / kPoints;
  if (whole) {
    step = std::max(1.0, std::round(step));
    from = std::floor(from);
  }
  return {from, step, static_cast<std::size_t>(reach / step) + 2, [&](double x) {
            const double z = (x - k * one.mean) / sd;
            if (z < -1.9 || std::abs(z) < 0.01) return z < 0 ? -0.02 : -0.6;
            return log_saddle_tail(cumulant, k, x, whole ? -60 : -60 * rate, rate, whole);
          }};
}

}  // namespace postern::infer
