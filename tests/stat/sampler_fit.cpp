#include "sampler_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>

#include <gtest/gtest.h>

#include "postern/core/special.hpp"

namespace postern::stat {
namespace {

double magnitude(Int128 x) { return std::fabs(static_cast<double>(x)); }

/// Lower ends of the magnitude bins past zero; each holds an expected 20 draws of either sign, the last is
/// the tail.
std::vector<double> bin_starts(const Law& law, double n) {
  std::vector<double> starts{1};
  if (n * law.at_least(1) < 20) return {};
  for (double k = 1 + law.step;; k += law.step) {
    if (n * law.at_least(k) < 20) return starts;
    if (n * (law.at_least(starts.back()) - law.at_least(k)) >= 20) starts.push_back(std::floor(k));
  }
}

double pearson(std::span<const double> observed, std::span<const double> expected) {
  double sum = 0;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    sum += (observed[i] - expected[i]) * (observed[i] - expected[i]) / expected[i];
  }
  return sum;
}

/// A binomial count against its mean; counts too rare for the normal approximation are checked from above
/// only.
void expect_count(double count, double n, double p, const std::string& what) {
  if (n * p * (1 - p) < 20) {
    EXPECT_LE(std::min(count, n - count), 60) << what;
    return;
  }
  EXPECT_LT(std::fabs(count - n * p), kSigmas * std::sqrt(n * p * (1 - p)) + 0.5) << what;
}

void expect_largest(double largest, const Law& law, double n, const std::string& what) {
  if (largest > 0) {
    EXPECT_GT(2 * n * law.at_least(largest), kAlpha) << what << ": a draw is too large";
  }
  const double beyond = 2 * law.at_least(largest + 1);
  EXPECT_GT(n * std::log1p(-std::min(beyond, 1 - 1e-15)), std::log(kAlpha)) << what << ": no draw is large";
}

}  // namespace

Law laplace_law(double lambda) {
  const double q = std::exp(-lambda);
  Law law;
  law.at_least = [=](double k) { return std::exp(-lambda * k) / (1 + q); };
  law.mean_magnitude = 2 * q / ((1 + q) * -std::expm1(-lambda));
  law.mean_square = 2 * q / (std::expm1(-lambda) * std::expm1(-lambda));
  law.step = std::max(1.0, std::floor(1 / (25 * lambda)));
  return law;
}

Law gaussian_law(double sigma2) {
  const double sigma = std::sqrt(sigma2);
  Law law;
  if (sigma > 1000) {
    // The trapezium rule on a Gaussian: errors below 1e-7 relative in the bins, nothing in the moments.
    law.at_least = [=](double k) { return normal_cdf(-(k - 0.5) / sigma); };
    law.mean_magnitude = sigma * std::sqrt(2 / M_PI);
    law.mean_square = sigma2;
    law.step = std::floor(sigma / 25);
    return law;
  }
  const int reach = static_cast<int>(40 * sigma) + 3;
  const auto tail = std::make_shared<std::vector<double>>(reach + 2, 0.0);
  double first = 0;
  double second = 0;
  for (int k = reach; k >= 1; --k) {
    const double weight = std::exp(-0.5 * k * k / sigma2);
    (*tail)[k] = (*tail)[k + 1] + weight;
    first += 2 * k * weight;
    second += 2.0 * k * k * weight;
  }
  const double total = 1 + 2 * (*tail)[1];
  law.at_least = [=](double k) { return k > reach ? 0 : (*tail)[static_cast<std::size_t>(k)] / total; };
  law.mean_magnitude = first / total;
  law.mean_square = second / total;
  return law;
}

double chi_square_fit(std::span<const Int128> draws, const Law& law) {
  const auto n = static_cast<double>(draws.size());
  const std::vector<double> starts = bin_starts(law, n);
  if (starts.empty()) return 1;
  std::vector<double> observed(2 * starts.size() + 1);
  std::vector<double> expected{n * (1 - 2 * law.at_least(1))};
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const double next = i + 1 < starts.size() ? law.at_least(starts[i + 1]) : 0;
    expected.insert(expected.end(), 2, n * (law.at_least(starts[i]) - next));
  }
  for (const Int128 x : draws) {
    const auto bin = std::upper_bound(starts.begin(), starts.end(), magnitude(x)) - starts.begin();
    observed[bin == 0 ? 0 : 2 * bin - (x < 0 ? 1 : 0)] += 1;
  }
  if (expected[0] < 20) {  // a wide law: zero joins its neighbour
    expected[1] += expected[0];
    observed[1] += observed[0];
    expected.erase(expected.begin());
    observed.erase(observed.begin());
  }
  return chi_square_tail(pearson(observed, expected), static_cast<double>(observed.size()) - 1);
}

void expect_fits(std::span<const Int128> draws, const Law& law, const std::string& what) {
  const auto n = static_cast<double>(draws.size());
  EXPECT_GT(chi_square_fit(draws, law), kAlpha) << what;
  double zeros = 0;
  double negatives = 0;
  double sum = 0;
  double products = 0;
  double largest = 0;
  for (std::size_t i = 0; i < draws.size(); ++i) {
    zeros += draws[i] == 0 ? 1 : 0;
    negatives += draws[i] < 0 ? 1 : 0;
    sum += magnitude(draws[i]);
    largest = std::max(largest, magnitude(draws[i]));
    if (i > 0) products += static_cast<double>(draws[i]) * static_cast<double>(draws[i - 1]);
  }
  expect_count(zeros, n, 1 - 2 * law.at_least(1), what + ": zeros");
  if (n - zeros > 100) expect_count(negatives, n - zeros, 0.5, what + ": signs");
  expect_largest(largest, law, n, what);
  if (n * 2 * law.at_least(1) < 100) return;
  const double deviation = std::sqrt(law.mean_square - law.mean_magnitude * law.mean_magnitude);
  EXPECT_LT(std::fabs(sum / n - law.mean_magnitude), kSigmas * deviation / std::sqrt(n))
      << what << ": mean |x|";
  EXPECT_LT(std::fabs(products / n / law.mean_square), kSigmas / std::sqrt(n))
      << what << ": lag-1 correlation";
}

double two_sample_fit(std::span<const Int128> one, std::span<const Int128> other) {
  std::vector<Int128> pooled(one.begin(), one.end());
  pooled.insert(pooled.end(), other.begin(), other.end());
  std::sort(pooled.begin(), pooled.end());
  std::vector<Int128> starts;
  for (std::size_t i = 0, held = 0; i < pooled.size(); ++i, ++held) {
    const bool new_value = i == 0 || pooled[i] != pooled[i - 1];
    if (new_value && (starts.empty() || held >= 40) && pooled.size() - i >= 40) {
      starts.push_back(pooled[i]);
      held = 0;
    }
  }
  std::vector<double> a(starts.size());
  std::vector<double> b(starts.size());
  const auto bin = [&](Int128 x) {
    return std::upper_bound(starts.begin(), starts.end(), x) - starts.begin() - 1;
  };
  for (const Int128 x : one) a[bin(x)] += 1;
  for (const Int128 x : other) b[bin(x)] += 1;
  const double ratio = std::sqrt(static_cast<double>(one.size()) / static_cast<double>(other.size()));
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = a[i] / ratio - b[i] * ratio;
    sum += difference * difference / (a[i] + b[i]);
  }
  return a.size() < 2 ? 1 : chi_square_tail(sum, static_cast<double>(a.size()) - 1);
}

double categorical_fit(std::span<const std::size_t> counts, std::span<const double> probabilities) {
  const double n = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  std::vector<double> observed{0};
  std::vector<double> expected{0};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double mean = n * probabilities[i];
    const std::size_t bin = mean < 20 ? 0 : observed.size();
    if (bin == observed.size()) {
      observed.push_back(0);
      expected.push_back(0);
    }
    observed[bin] += static_cast<double>(counts[i]);
    expected[bin] += mean;
  }
  if (expected[0] < 20) {  // too little even together: only an excess can be judged
    EXPECT_LE(observed[0], 70) << "rare candidates are drawn too often";
    observed.erase(observed.begin());
    expected.erase(expected.begin());
  }
  if (observed.size() < 2) return 1;
  return chi_square_tail(pearson(observed, expected), static_cast<double>(observed.size()) - 1);
}

double correlation(std::span<const double> x, std::span<const double> y) {
  const auto n = static_cast<double>(x.size());
  const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / n;
  const double mean_y = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xx = 0;
  double yy = 0;
  double xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return xx == 0 || yy == 0 ? 0 : xy / std::sqrt(xx * yy);
}

}  // namespace postern::stat
