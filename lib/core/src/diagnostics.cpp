#include "postern/core/diagnostics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "postern/core/fft.hpp"
#include "postern/core/special.hpp"

namespace postern {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

/// Half chains, one after the other.
struct ChainHalves {
  std::size_t length = 0;
  std::vector<double> values;

  [[nodiscard]] std::size_t count() const { return values.size() / length; }
  [[nodiscard]] std::span<const double> operator[](std::size_t half) const {
    return {values.data() + half * length, length};
  }
};

/// First and last half of every chain; the middle draw of an odd one is left out.
ChainHalves split(const ChainDraws& draws) {
  ChainHalves out{draws.length() / 2, {}};
  out.values.reserve(2 * draws.chains() * out.length);
  for (std::size_t chain = 0; chain < draws.chains(); ++chain) {
    const std::span<const double> all = draws[chain];
    for (const auto part : {all.first(out.length), all.last(out.length)})
      out.values.insert(out.values.end(), part.begin(), part.end());
  }
  return out;
}

bool usable(const ChainDraws& draws) {
  if (draws.length() < 4) return false;
  for (std::size_t chain = 0; chain < draws.chains(); ++chain) {
    const auto all = draws[chain];
    if (!std::all_of(all.begin(), all.end(), [](double x) { return std::isfinite(x); })) return false;
  }
  return true;
}

/// Each value by the normal quantile of its rank, ties by their average rank, with Blom's offset 3/8.
ChainHalves rank_normalised(const ChainHalves& halves) {
  const std::vector<double>& x = halves.values;
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return x[i] < x[j]; });
  ChainHalves out{halves.length, std::vector<double>(x.size())};
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last + 1 < order.size() && x[order[last + 1]] == x[order[first]]) ++last;
    const double rank = 1 + (static_cast<double>(first) + static_cast<double>(last)) / 2;
    const double z = normal_quantile((rank - 0.375) / (static_cast<double>(x.size()) + 0.25));
    for (; first <= last; ++first) out.values[order[first]] = z;
  }
  return out;
}

double mean_of(std::span<const double> x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

double sample_variance(std::span<const double> x) {
  const double mean = mean_of(x);
  double square = 0;
  for (const double value : x) square += (value - mean) * (value - mean);
  return square / static_cast<double>(x.size() - 1);
}

/// Quantile of sorted values, between neighbours by a straight line (R's type 7).
double quantile_of(std::span<const double> sorted, double p) {
  const double at = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double part = at - static_cast<double>(below);
  return (1 - part) * sorted[below] + part * sorted[above];
}

double plain_rhat(const ChainHalves& halves) {
  std::vector<double> means;
  double within = 0;
  for (std::size_t half = 0; half < halves.count(); ++half) {
    means.push_back(mean_of(halves[half]));
    within += sample_variance(halves[half]) / static_cast<double>(halves.count());
  }
  if (!(within > 0)) return kUndefined;
  const auto n = static_cast<double>(halves.length);
  return std::sqrt((n * sample_variance(means) / within + n - 1) / n);
}

/// Autocovariances at all lags, averaged over the half chains; divided by the length at every lag.
std::vector<double> mean_autocovariance(const ChainHalves& halves) {
  const std::size_t n = halves.length;
  const RealFft fft(RealFft::good_size(2 * n));
  std::vector<double> sum(n, 0.0);
  std::vector<double> centred;
  std::vector<double> product;
  for (std::size_t half = 0; half < halves.count(); ++half) {
    const double mean = mean_of(halves[half]);
    centred.assign(fft.size(), 0.0);
    std::transform(halves[half].begin(), halves[half].end(), centred.begin(),
                   [mean](double x) { return x - mean; });
    fft.forward(centred);
    product = centred;
    fft.correlate(product, centred);
    fft.inverse(product);
    for (std::size_t lag = 0; lag < n; ++lag) sum[lag] += product[lag];
  }
  for (double& value : sum) value /= static_cast<double>(n) * static_cast<double>(halves.count());
  return sum;
}

/// Geyer's (1992) initial monotone sequence on the autocorrelations that count between-chain variance too:
/// sums of neighbouring lags are positive and falling, and the first that is not ends the sequence.
double plain_ess(const ChainHalves& halves) {
  const auto total = static_cast<double>(halves.values.size());
  const auto [least, most] = std::minmax_element(halves.values.begin(), halves.values.end());
  if (*most - *least < 1e-15) return total;
  const std::vector<double> covariance = mean_autocovariance(halves);
  const auto n = static_cast<double>(halves.length);
  const double within = covariance[0] * n / (n - 1);
  std::vector<double> means;
  for (std::size_t half = 0; half < halves.count(); ++half) means.push_back(mean_of(halves[half]));
  const double variance = covariance[0] + sample_variance(means);
  const auto correlation = [&](std::size_t lag) {
    return lag == 0 ? 1.0 : 1 - (within - covariance[lag]) / variance;
  };
  double time = -1;
  double even = correlation(0);
  double pair = even + correlation(1);
  double before = std::numeric_limits<double>::infinity();
  for (std::size_t lag = 2; lag + 2 < halves.length && pair > 0; lag += 2) {
    before = std::min(before, pair);
    time += 2 * before;
    even = correlation(lag);
    pair = even + correlation(lag + 1);
  }
  time += std::max(even, 0.0);
  return total / std::max(time, 1 / std::log10(total));
}

/// ESS of the indicator of one quantile.
double indicator_ess(const ChainDraws& draws, double quantile) {
  ChainHalves halves = split(draws);
  for (double& x : halves.values) x = x <= quantile ? 1 : 0;
  return plain_ess(halves);
}

}  // namespace

double rank_rhat(const ChainDraws& draws) {
  if (!usable(draws)) return kUndefined;
  ChainHalves halves = split(draws);
  const double bulk = plain_rhat(rank_normalised(halves));
  std::vector<double> sorted = halves.values;
  std::sort(sorted.begin(), sorted.end());
  const double median = quantile_of(sorted, 0.5);
  for (double& x : halves.values) x = std::abs(x - median);
  return std::fmax(bulk, plain_rhat(rank_normalised(halves)));
}

double bulk_ess(const ChainDraws& draws) {
  return usable(draws) ? plain_ess(rank_normalised(split(draws))) : kUndefined;
}

double tail_ess(const ChainDraws& draws) {
  if (!usable(draws)) return kUndefined;
  std::vector<double> sorted;
  for (std::size_t chain = 0; chain < draws.chains(); ++chain)
    sorted.insert(sorted.end(), draws[chain].begin(), draws[chain].end());
  std::sort(sorted.begin(), sorted.end());
  return std::min(indicator_ess(draws, quantile_of(sorted, 0.05)),
                  indicator_ess(draws, quantile_of(sorted, 0.95)));
}

}  // namespace postern
