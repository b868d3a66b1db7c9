#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#ifdef __x86_64__
#include <gtest/gtest.h>
#include <x86intrin.h>

#include "postern/owner/discrete_gaussian.hpp"
#include "postern/owner/discrete_laplace.hpp"

#include "sampler_fit.hpp"

namespace postern::stat {
namespace {

constexpr std::size_t kDraws = 3'000'000;

/// Mid-ranks: interruptions and refills of the generator, a hundred times longer than a draw, then count as
/// one draw each.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> out;
  out.reserve(values.size());
  for (const double value : values) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
    out.push_back(static_cast<double>((first - sorted.begin()) + (last - sorted.begin())));
  }
  return out;
}

/// Time to draw one number, against its magnitude. A statement about correlation, not about speed: |corr| <
/// 5/sqrt(N) fails a sampler whose time does not depend on the draw with probability 6e-7.
template <class Sampler>
double timing_correlation(const Sampler& sampler) {
  owner::Entropy entropy;
  std::vector<double> cycles(kDraws);
  std::vector<double> magnitudes(kDraws);
  Int128 x = 0;
  for (std::size_t i = 0; i < kDraws; ++i) {
    unsigned core = 0;
    const std::uint64_t start = __rdtscp(&core);
    sampler.draw(std::span(&x, 1), entropy);
    const std::uint64_t end = __rdtscp(&core);
    cycles[i] = static_cast<double>(end - start);
    magnitudes[i] = std::fabs(static_cast<double>(x));
  }
  return correlation(ranks(cycles), ranks(magnitudes));
}

TEST(LongTiming, LaplaceDrawsTakeTheSameTime) {
  for (const Rational& lambda : {Rational(1), Rational(1, 10), Rational(1, 1000000)}) {
    const double found = timing_correlation(owner::DiscreteLaplaceSampler(lambda));
    RecordProperty("lambda_" + std::to_string(lambda.get_d()), std::to_string(found));
    EXPECT_LT(std::fabs(found), 5 / std::sqrt(kDraws)) << "lambda " << lambda.get_str();
  }
}

TEST(LongTiming, GaussianDrawsTakeTheSameTime) {
  for (const Rational& sigma2 : {Rational(1), Rational(100), Rational(Integer("1000000000000"))}) {
    const double found = timing_correlation(owner::DiscreteGaussianSampler(sigma2));
    RecordProperty("sigma2_" + std::to_string(sigma2.get_d()), std::to_string(found));
    EXPECT_LT(std::fabs(found), 5 / std::sqrt(kDraws)) << "sigma2 " << sigma2.get_str();
  }
}

}  // namespace
}  // namespace postern::stat
#endif
