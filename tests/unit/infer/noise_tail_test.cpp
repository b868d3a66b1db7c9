// Tails of the size and of the sum of noises, against all noises listed.
#include "noise_check/noise_tail.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace postern::infer {
namespace {

using release::DiscreteGaussian;
using release::DiscreteLaplace;
using release::NoiseLaw;

/// P(statistic >= x), x = 0, 1, ..., of `count` whole noises within `reach`.
struct Listed {
  std::vector<double> size, sum;
};

std::vector<double> convolved(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) out[i + j] += a[i] * b[j];
  }
  return out;
}

Listed listed(const NoiseLaw& law, int count, int reach) {
  const bool squares = release::shape(law).rate == 0;
  std::vector<double> size(static_cast<std::size_t>(squares ? reach * reach : reach) + 1);
  std::vector<double> sum(2 * static_cast<std::size_t>(reach) + 1);
  for (int e = -reach; e <= reach; ++e) {
    const double p = std::exp(release::log_pmf(law, e));
    size[static_cast<std::size_t>(squares ? e * e : std::abs(e))] += p;
    sum[static_cast<std::size_t>(e + reach)] += p;
  }
  Listed out{size, sum};
  for (int i = 1; i < count; ++i) {
    out.size = convolved(out.size, size);
    out.sum = convolved(out.sum, sum);
  }
  const std::size_t middle = out.sum.size() / 2;
  std::vector<double> folded(middle + 1);
  for (std::size_t i = 0; i <= middle; ++i) folded[i] = out.sum[middle + i] * (i == 0 ? 1 : 2);
  out.sum = folded;
  for (std::vector<double>* tail : {&out.size, &out.sum}) {
    for (std::size_t i = tail->size() - 1; i-- > 0;) (*tail)[i] += (*tail)[i + 1];
  }
  return out;
}

void expect_near(const NoiseTail& tail, const std::vector<double>& right, double error, const char* what) {
  for (std::size_t x = 0; x + 1 < right.size(); ++x) {
    // Values that no noises have are not asked for.
    if (right[x] - right[x + 1] < 1e-12 || right[x] < 1e-9 || right[x] > 0.3) continue;
    EXPECT_NEAR(tail.at(static_cast<double>(x)) / right[x], 1, error) << what << " " << x;
  }
}

TEST(NoiseTail, IsThatOfAllNoisesListed) {
  for (const int count : {1, 2, 3, 5, 12}) {
    const double error = count == 1 ? 1e-7 : count < 5 ? 0.05 : 0.015;
    for (const double lambda : {0.3, 1.0, 2.0}) {
      const NoiseLaw law = DiscreteLaplace(lambda);
      const Listed right = listed(law, count, static_cast<int>(40 / lambda));
      expect_near(NoiseTail::of_size(law, static_cast<std::size_t>(count)), right.size, error,
                  "size, Laplace");
      expect_near(NoiseTail::of_sum(law, static_cast<std::size_t>(count)), right.sum, error, "sum, Laplace");
    }
    for (const double sigma2 : {0.3, 1.0, 6.0}) {
      const NoiseLaw law = DiscreteGaussian(sigma2);
      const Listed right = listed(law, count, static_cast<int>(9 * std::sqrt(sigma2)) + 1);
      expect_near(NoiseTail::of_size(law, static_cast<std::size_t>(count)), right.size, 1e-6,
                  "size, Gaussian");
      if (sigma2 >= 1 || count == 1)
        expect_near(NoiseTail::of_sum(law, static_cast<std::size_t>(count)), right.sum, 0.01,
                    "sum, Gaussian");
    }
  }
}

TEST(NoiseTail, OfContinuousNoiseIsGammaAndNormal) {
  const NoiseLaw law = release::Laplace(2);
  for (const double x : {1.0, 7.0, 30.0})
    EXPECT_NEAR(NoiseTail::of_sum(law, 1).at(x), std::exp(-x / 2), 2e-3);
  // Of two: e^-t (1 + t).
  const NoiseTail two = NoiseTail::of_size(law, 2);
  for (const double t : {3.0, 8.0, 15.0}) EXPECT_NEAR(two.at(2 * t) / (std::exp(-t) * (1 + t)), 1, 0.04);
  const NoiseTail normal = NoiseTail::of_sum(release::Gaussian(4), 9);
  for (const double z : {1.0, 3.0, 5.0})
    EXPECT_NEAR(normal.at(6 * z) / std::erfc(z / std::sqrt(2.0)), 1, 0.02);
}

TEST(NoiseTail, FallsForLargeTablesAndLargeNoise) {
  for (const NoiseLaw& law : {NoiseLaw(DiscreteLaplace(1e-4)), NoiseLaw(DiscreteGaussian(1e8)),
                              NoiseLaw(DiscreteLaplace(5)), NoiseLaw(DiscreteGaussian(0.02))}) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{40}, std::size_t{100'000}}) {
      for (const NoiseTail& tail : {NoiseTail::of_size(law, count), NoiseTail::of_sum(law, count)}) {
        const double sd = std::sqrt(static_cast<double>(count) * release::variance(law));
        double before = 1;
        for (double x = 0; x < 30 * sd * sd; x = 1.5 * x + 0.1 * sd + 1) {
          const double now = tail.at(x);
          EXPECT_TRUE(now >= 0 && now <= before) << x;
          before = now;
        }
        EXPECT_EQ(tail.at(0), 1);
      }
    }
  }
}

}  // namespace
}  // namespace postern::infer
