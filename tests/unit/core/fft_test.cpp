#include "postern/core/fft.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/core/rng.hpp"
#include "postern/core/special.hpp"

namespace postern {
namespace {

std::vector<double> noise(std::size_t size, std::uint32_t stream) {
  Rng rng(8, stream, Purpose::test);
  std::vector<double> out(size);
  for (double& x : out) x = rng.uniform() - 0.5;
  return out;
}

/// Noise in at most 50 places, so that products by the definition stay cheap at every size.
std::vector<double> sparse_noise(std::size_t size, std::uint32_t stream) {
  std::vector<double> out = noise(size, stream);
  const std::size_t step = size / 50 + 1;
  for (std::size_t i = 0; i < size; ++i) {
    if (i % step != step / 2) out[i] = 0;
  }
  return out;
}

/// The product modulo X^size + 1, by the definition.
std::vector<double> negacyclic(const std::vector<double>& a, const std::vector<double>& b) {
  const std::size_t n = a.size();
  std::vector<double> out(n);
  for (std::size_t j = 0; j < n; ++j) {
    if (b[j] == 0) continue;
    for (std::size_t i = 0; i < n - j; ++i) out[i + j] += a[i] * b[j];
    for (std::size_t i = n - j; i < n; ++i) out[i + j - n] -= a[i] * b[j];
  }
  return out;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = a.size() == b.size() ? 0 : 1e9;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

class TransformOf : public testing::TestWithParam<std::size_t> {};

TEST_P(TransformOf, MultipliesAndComesBack) {
  const RealFft fft(GetParam());
  ASSERT_EQ(fft.size(), GetParam());
  const auto a = noise(fft.size(), 1), b = sparse_noise(fft.size(), 2);
  auto x = a, y = b;
  fft.forward(x);
  auto round_trip = x;
  fft.inverse(round_trip);
  EXPECT_LT(distance(round_trip, a), 1e-15);
  fft.forward(y);
  fft.multiply(x, y);
  fft.inverse(x);
  EXPECT_LT(distance(x, negacyclic(a, b)), 1e-13);
}

TEST_P(TransformOf, RaisesToPowers) {
  const RealFft fft(GetParam());
  const auto a = sparse_noise(fft.size(), 5), b = noise(fft.size(), 6);
  std::vector<double> power = a;  // a^3
  for (int k = 1; k < 3; ++k) power = negacyclic(power, a);
  auto x = a, y = b;
  fft.forward(x), fft.forward(y);
  std::vector<double> products(4);
  fft.multiply_powers(x, y, 3, products);
  fft.raise(x, 3);
  fft.inverse(x);
  EXPECT_LT(distance(x, power), 1e-11);
  for (const double found : products) {
    double expected = 0;
    for (std::size_t i = 0; i < fft.size(); ++i) expected += power[i] * b[i];
    EXPECT_NEAR(found, expected, 1e-10 * (1 + std::abs(expected)));
    power = negacyclic(power, a);
  }
}

TEST_P(TransformOf, Correlates) {
  const RealFft fft(GetParam());
  const std::size_t n = fft.size();
  const auto a = noise(n, 3), b = sparse_noise(n, 4);
  std::vector<double> mirrored(n);  // b(1/X), where X^-j = -X^(n-j)
  mirrored[0] = b[0];
  for (std::size_t j = 1; j < n; ++j) mirrored[n - j] = -b[j];
  auto x = a, y = b;
  fft.forward(x), fft.forward(y);
  fft.correlate(x, y);
  fft.inverse(x);
  EXPECT_LT(distance(x, negacyclic(a, mirrored)), 1e-13);
}

// Every path: leaves of 16, radix 2 first or not, radix 3 and 5 first, and blocks larger than the cached
// ones.
INSTANTIATE_TEST_SUITE_P(Sizes, TransformOf,
                         testing::Values(32, 64, 96, 128, 160, 192, 256, 320, 512, 1024, 2048, 4096, 8192,
                                         16384, 3 * 2048, 3 * 4096, 3 * 8192, 5 * 2048, 5 * 4096, 5 * 8192,
                                         131072));

TEST(Norm, IsTheRootOfTheSumOfSquares) {
  std::vector<double> x;
  double sum = 0;
  for (int n = 0; n < 40; ++n) {
    EXPECT_NEAR(norm(x), std::sqrt(sum), 1e-14 * std::sqrt(sum)) << n;
    x.push_back(std::sin(n + 1.0));
    sum += x.back() * x.back();
  }
}

TEST(RealFft, GoodSizes) {
  EXPECT_EQ(RealFft::good_size(0), 32U);
  EXPECT_EQ(RealFft::good_size(33), 64U);
  EXPECT_EQ(RealFft::good_size(65), 96U);
  EXPECT_EQ(RealFft::good_size(129), 160U);
  EXPECT_EQ(RealFft::good_size(161), 192U);
  for (std::size_t length = 1; length < 5000; ++length) {
    const std::size_t size = RealFft::good_size(length);
    ASSERT_GE(size, length);
    ASSERT_EQ(RealFft::good_size(size), size);
    if (length > 128) {
      ASSERT_LE(size, length * 4 / 3 + 1);
    }
  }
}

TEST(RealFft, RefusesOtherSizes) {
  for (const std::size_t size : {0U, 1U, 16U, 33U, 7U * 32U, 9U * 32U})
    EXPECT_THROW(RealFft fft(size), Error);
}

// Threads that meet at a size nobody has used yet must all get the right answer.
TEST(RealFft, PlansAreMadeOnceForAllThreads) {
  constexpr std::size_t kSize = 5 * 16384;
  const auto a = noise(kSize, 5);
  std::vector<std::vector<double>> results(4, a);
  std::vector<std::thread> threads;
  for (auto& x : results) {
    threads.emplace_back([&x] { RealFft(kSize).forward(x); });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& x : results) EXPECT_EQ(x, results[0]);
}

TEST(Convolve, EqualsTheDefinition) {
  for (const std::size_t left : {1, 2, 3, 4, 5, 17, 39, 40, 41, 100, 333, 1000, 2049}) {
    for (const std::size_t right : {1, 2, 3, 6, 7, 8, 39, 40, 41, 99, 500}) {
      const auto a = noise(left, 6), b = noise(right, 7);
      std::vector<double> want(left + right - 1);
      for (std::size_t i = 0; i < left; ++i) {
        for (std::size_t j = 0; j < right; ++j) want[i + j] += a[i] * b[j];
      }
      ASSERT_LT(distance(convolve(a, b), want), 1e-13) << left << " x " << right;
    }
  }
  EXPECT_TRUE(convolve({}, noise(3, 8)).empty());
}

// Probabilities: the sum of many independent counts, against the binomial law it must be.
TEST(Convolve, PowersOfABernoulliAreBinomial) {
  std::vector<double> law = {0.7, 0.3};
  for (int doubling = 0; doubling < 10; ++doubling) law = convolve(law, law);  // 1024 trials
  double worst = 0;
  for (std::size_t k = 0; k < law.size(); ++k) {
    const auto s = static_cast<double>(k);
    worst = std::max(worst, std::abs(law[k] - std::exp(log_choose(1024, s) + s * std::log(0.3) +
                                                       (1024 - s) * std::log(0.7))));
  }
  EXPECT_LT(worst, 1e-13);
}

}  // namespace
}  // namespace postern
