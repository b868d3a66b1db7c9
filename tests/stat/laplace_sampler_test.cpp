#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "postern/owner/discrete_laplace.hpp"

#include "cks_oracle.hpp"
#include "sampler_fit.hpp"
#include "scripted_entropy.hpp"

namespace postern::stat {
namespace {

using owner::DiscreteLaplaceSampler;
using owner::ScriptedEntropy;

constexpr std::size_t kDraws = sample_size(500'000);

std::vector<Int128> draw(const Rational& lambda, std::size_t n, owner::Entropy& entropy) {
  std::vector<Int128> out(n);
  DiscreteLaplaceSampler(lambda).draw(out, entropy);
  return out;
}

std::vector<Rational> settings() {
  return {Rational(100),
          Rational(10),
          Rational(3, 2),
          Rational(1),
          Rational(1, 10),
          Rational(1, 1000),
          Rational(1, 1000000),
          Rational(1, Integer(1) << 40),
          Rational(1, Integer(1) << 55),
          Rational(1, Integer(1) << 70)};
}

TEST(LaplaceSampler, FitsItsLaw) {
  std::uint64_t seed = 100;
  for (const Rational& lambda : settings()) {
    ScriptedEntropy entropy(++seed);
    expect_fits(draw(lambda, kDraws, entropy), laplace_law(lambda.get_d()), "lambda " + lambda.get_str());
  }
}

TEST(LaplaceSampler, FitsInSmallBatches) {
  ScriptedEntropy entropy(150);
  const DiscreteLaplaceSampler sampler(Rational(2, 7));
  std::vector<Int128> draws(sample_size(200'000));
  std::span<Int128> rest = draws;
  for (std::size_t size = 1; !rest.empty(); size = size % 37 + 1) {
    const std::size_t taken = std::min(size, rest.size());
    sampler.draw(rest.first(taken), entropy);
    rest = rest.subspan(taken);
  }
  expect_fits(draws, laplace_law(2.0 / 7), "lambda 2/7 in batches of 1 to 37");
}

/// The binary digits of |x|-1, given x != 0, are independent with P(digit i = 1) = 1/(1 + e^(2^i lambda)),
/// and so is the sign. Low digits of a wide law are invisible to a chi-square over intervals; here each and
/// each pair is checked.
void expect_independent_digits(const Rational& lambda, std::size_t digits, std::uint64_t seed) {
  ScriptedEntropy entropy(seed);
  std::vector<std::vector<double>> planes(digits + 1);  // standardised; the sign is the last
  std::vector<Int128> draws = draw(lambda, sample_size(200'000), entropy);
  std::erase(draws, 0);
  for (std::size_t i = 0; i < digits; ++i) {
    const double p = 1 / (1 + std::exp(std::ldexp(lambda.get_d(), static_cast<int>(i))));
    for (const Int128 x : draws) {
      const auto g = static_cast<std::uint64_t>(x < 0 ? -x : x) - 1;
      planes[i].push_back((static_cast<double>(g >> i & 1) - p) / std::sqrt(p * (1 - p)));
    }
  }
  for (const Int128 x : draws) planes[digits].push_back(x < 0 ? 1 : -1);
  const double limit = kSigmas * std::sqrt(static_cast<double>(draws.size()));
  for (std::size_t i = 0; i <= digits; ++i) {
    EXPECT_LT(std::fabs(std::accumulate(planes[i].begin(), planes[i].end(), 0.0)), limit)
        << "digit " << i << " of lambda " << lambda.get_str();
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_LT(std::fabs(std::inner_product(planes[i].begin(), planes[i].end(), planes[j].begin(), 0.0)),
                limit)
          << "digits " << i << ", " << j << " of lambda " << lambda.get_str();
    }
  }
}

TEST(LaplaceSampler, HasIndependentDigits) {
  // Digits whose expected count is above 10^4, where the normal limit holds.
  expect_independent_digits(Rational(1, 10), 5, 201);
  expect_independent_digits(Rational(1, 1000000), 21, 202);
  expect_independent_digits(Rational(1, Integer(1) << 40), 41, 203);
}

TEST(LaplaceSampler, AgreesWithThePlainSampler) {
  constexpr std::size_t kSample = 60'000;
  struct Setting {
    unsigned s, t;
  };
  std::uint64_t seed = 300;
  for (const Setting& setting : {Setting{1, 1}, Setting{3, 2}, Setting{1, 10}, Setting{2, 7}}) {
    ScriptedEntropy entropy(++seed);
    Rng rng(seed, 1, Purpose::test);
    std::vector<Int128> plain;
    for (std::size_t i = 0; i < kSample; ++i) {
      const auto x = oracle::discrete_laplace<Uint128>(setting.s, setting.t, rng);
      plain.push_back(x.negative ? -static_cast<Int128>(x.magnitude) : static_cast<Int128>(x.magnitude));
    }
    EXPECT_GT(two_sample_fit(draw(Rational(setting.s, setting.t), kSample, entropy), plain), kAlpha)
        << "lambda " << setting.s << "/" << setting.t;
  }
}

TEST(LaplaceSampler, PlainSamplersAgree) {
  constexpr std::size_t kSample = 10'000;
  Rng rng(310, 1, Purpose::test);
  std::vector<Int128> rational;
  std::vector<Int128> integer;
  for (std::size_t i = 0; i < kSample; ++i) {
    const auto x = oracle::discrete_laplace<Integer>(3, 10, rng);
    rational.push_back(x.negative ? -static_cast<Int128>(x.magnitude.get_ui()) : x.magnitude.get_ui());
    const auto y = oracle::discrete_laplace<Uint128>(3, 10, rng);
    integer.push_back(y.negative ? -static_cast<Int128>(y.magnitude) : static_cast<Int128>(y.magnitude));
  }
  EXPECT_GT(two_sample_fit(rational, integer), kAlpha);
  EXPECT_GT(chi_square_fit(rational, laplace_law(0.3)), kAlpha);
}

/// The check must see a law whose scale is 2% off; otherwise its silence means nothing.
TEST(LaplaceSampler, ChecksSeeAWrongScale) {
  ScriptedEntropy entropy(320);
  EXPECT_LT(chi_square_fit(draw(Rational(1, 10), sample_size(2'000'000), entropy), laplace_law(0.102)),
            kAlpha);
}

TEST(LongLaplaceSampler, FitsWithFreshRandomness) {
  owner::Entropy entropy;
  for (const Rational& lambda : settings()) {
    expect_fits(draw(lambda, 20'000'000, entropy), laplace_law(lambda.get_d()), "lambda " + lambda.get_str());
  }
}

}  // namespace
}  // namespace postern::stat
