#include "noise_sum.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "postern/infer/noise/published_values.hpp"

#include "numeric/careful_convolution.hpp"

namespace postern::infer {
namespace {

constexpr double kTabledNats = 90;  ///< to which laws are tabulated
constexpr double kFineScale = 32;   ///< of a Laplace noise, above which it is tabulated in steps

/// The n-fold convolution of a law on -radius..radius, on -reach..reach.
std::vector<double> power(std::vector<double> law, std::size_t n, std::size_t reach) {
  const auto cut = [reach](std::vector<double> x) {
    const std::size_t radius = x.size() / 2;
    if (radius <= reach) return x;
    return std::vector<double>(x.begin() + static_cast<std::ptrdiff_t>(radius - reach),
                               x.end() - static_cast<std::ptrdiff_t>(radius - reach));
  };
  const auto times = [&](const std::vector<double>& a, const std::vector<double>& b) {
    return cut(convolve_carefully(a, b, 0, a.size() + b.size() - 1));
  };
  std::vector<double> out{1.0};
  for (law = cut(std::move(law)); n > 0; n /= 2) {
    if (n % 2 == 1) out = times(out, law);
    if (n > 1) law = times(law, law);
  }
  return out;
}

}  // namespace

NoiseSum::NoiseSum(std::span<const NoisyValue> values, Tables& tables) {
  double variance = 0;
  double rate = 0;
  bool alike = true;
  for (const NoisyValue& value : values) {
    y_ += value.y;
    variance += release::variance(value.law);
    const double mine = release::shape(value.law).rate;
    alike = alike && (rate == 0 || mine == rate) && mine > 0;
    rate = mine;
  }
  sd_ = std::sqrt(variance);
  if (alike && rate > 0) tabulate(rate, values.size(), tables);
}

/// By powers of the law of one noise, in steps where it is wide.
void NoiseSum::tabulate(double rate, std::size_t terms, Tables& tables) {
  rate_ = rate;
  step_ = std::max(1.0, std::floor(1 / (rate * kFineScale)));
  const double fall = rate * step_;
  Table& table = tables[{rate, terms}];
  if (table) {
    log_table_ = table;
    return;
  }
  // A sum of n Laplace noises of scale b falls by d nats within b d + sqrt(4 n d) b.
  const auto radius_of = [&](double n) {
    return static_cast<std::size_t>(std::ceil((kTabledNats + std::sqrt(4 * n * kTabledNats)) / fall)) + 1;
  };
  const std::size_t radius = radius_of(1);
  std::vector<double> one(2 * radius + 1);
  for (std::size_t i = 0; i < one.size(); ++i) {
    const double distance = std::abs(static_cast<double>(i) - static_cast<double>(radius));
    one[i] = std::tanh(fall / 2) * std::exp(-fall * distance);
  }
  const std::vector<double> law = power(std::move(one), terms, radius_of(static_cast<double>(terms)));
  std::vector<double> logs;
  for (std::size_t i = law.size() / 2; i < law.size() && law[i] > 1e-280; ++i)
    logs.push_back(std::log(law[i] / step_));
  log_table_ = table = std::make_shared<const std::vector<double>>(std::move(logs));
}

double NoiseSum::log_pmf(double x) const {
  x = std::abs(x);
  if (!log_table_) return -0.5 * (x / sd_) * (x / sd_) - std::log(sd_) - 0.5 * std::log(2 * std::numbers::pi);
  const double at = x / step_;
  const std::vector<double>& logs = *log_table_;
  const auto last = static_cast<double>(logs.size() - 1);
  if (at >= last) return logs.back() - rate_ * (x - last * step_);
  const auto below = static_cast<std::size_t>(at);
  const double part = at - std::floor(at);
  return logs[below] + part * (logs[below + 1] - logs[below]);
}

std::vector<std::vector<NoisyValue>> layers_of(std::span<const std::vector<NoisyValue>> noisy_values) {
  std::size_t layers = noisy_values.front().size();
  for (const std::vector<NoisyValue>& values : noisy_values) {
    layers = std::min(layers, values.size());
    if (any_band(values)) return {};
  }
  std::vector<std::vector<NoisyValue>> out(layers);
  for (const std::vector<NoisyValue>& values : noisy_values) {
    for (std::size_t j = 0; j < layers; ++j) out[j].push_back(values[j]);
  }
  return out;
}

SeenCount seen_sum(std::span<const NoiseSum> sums, std::int64_t most, double nats) {
  const auto log_at = [&](std::int64_t s) {
    double sum = 0;
    for (const NoiseSum& one : sums) sum += one.log_pmf(one.y() - static_cast<double>(s));
    return sum;
  };
  double weighted = 0;
  double precision = 0;
  for (const NoiseSum& one : sums) {
    weighted += one.y() / (one.sd() * one.sd());
    precision += 1 / (one.sd() * one.sd());
  }
  // Uphill from the precise mean; every law falls on both sides of its value.
  const auto start = std::clamp(weighted / precision, 0.0, static_cast<double>(most));
  std::int64_t mode = std::llround(start);
  const auto stride = static_cast<std::int64_t>(std::ceil(1 / std::sqrt(precision)));
  for (std::int64_t step = stride; step > 0; step /= 2) {
    while (mode + step <= most && log_at(mode + step) > log_at(mode)) mode += step;
    while (mode - step >= 0 && log_at(mode - step) > log_at(mode)) mode -= step;
  }
  const double top = log_at(mode);
  const auto end = [&](std::int64_t towards) {
    if (log_at(towards) - top >= -nats) return towards;
    std::int64_t inside = mode;
    while (std::abs(towards - inside) > 1) {
      const std::int64_t middle = inside + (towards - inside) / 2;
      (log_at(middle) - top < -nats ? towards : inside) = middle;
    }
    return inside;
  };
  SeenCount out;
  const std::int64_t lo = end(0);
  const std::int64_t hi = end(most);
  out.message = {lo, std::vector<double>(static_cast<std::size_t>(hi - lo) + 1)};
  for (std::int64_t s = lo; s <= hi; ++s)
    out.message.weight[static_cast<std::size_t>(s - lo)] = std::exp(log_at(s) - top);
  out.log_scale = top;
  out.cut_low = lo > 0;
  out.cut_high = hi < most;
  return out;
}

}  // namespace postern::infer
