#include <vector>

#include <gtest/gtest.h>

#include "postern/owner/discrete_gaussian.hpp"

#include "cks_oracle.hpp"
#include "sampler_fit.hpp"
#include "scripted_entropy.hpp"

namespace postern::stat {
namespace {

using owner::DiscreteGaussianSampler;
using owner::ScriptedEntropy;

constexpr std::size_t kDraws = sample_size(400'000);

std::vector<Int128> draw(const Rational& sigma2, std::size_t n, owner::Entropy& entropy) {
  std::vector<Int128> out(n);
  DiscreteGaussianSampler(sigma2).draw(out, entropy);
  return out;
}

/// Where z = 0 can occur (2, 6), where it is soon past the 8 integer bits of the filter (1/100 to 100), a
/// large and a very large scale.
std::vector<Rational> settings() {
  return {Rational(1, 100),
          Rational(1, 7),
          Rational(1),
          Rational(2),
          Rational(6),
          Rational(100),
          Rational(12345, 67),
          Rational(Integer("1000000000000")),
          Rational(Integer(1) << 100),
          Rational((Integer(1) << 130) + 1, 3)};
}

TEST(GaussianSampler, FitsItsLaw) {
  std::uint64_t seed = 400;
  for (const Rational& sigma2 : settings()) {
    ScriptedEntropy entropy(++seed);
    expect_fits(draw(sigma2, kDraws, entropy), gaussian_law(sigma2.get_d()), "sigma2 " + sigma2.get_str());
  }
}

TEST(GaussianSampler, FitsInSmallBatches) {
  ScriptedEntropy entropy(450);
  const DiscreteGaussianSampler sampler(Rational(9, 2));
  std::vector<Int128> draws(sample_size(100'000));
  std::span<Int128> rest = draws;
  for (std::size_t size = 1; !rest.empty(); size = size % 37 + 1) {
    const std::size_t taken = std::min(size, rest.size());
    sampler.draw(rest.first(taken), entropy);
    rest = rest.subspan(taken);
  }
  expect_fits(draws, gaussian_law(4.5), "sigma2 9/2 in batches of 1 to 37");
}

/// Low digits of a wide law are uniform and independent; a chi-square over intervals cannot see them.
TEST(GaussianSampler, HasUniformLowDigits) {
  ScriptedEntropy entropy(460);
  std::vector<std::size_t> counts(256);
  for (const Int128 x : draw(Rational(Integer("1000000000000")), kDraws, entropy))
    ++counts[static_cast<std::size_t>(x & 255)];
  EXPECT_GT(categorical_fit(counts, std::vector<double>(256, 1.0 / 256)), kAlpha);
}

TEST(GaussianSampler, AgreesWithThePlainSampler) {
  constexpr std::size_t kSample = 40'000;
  struct Setting {
    unsigned a, b;
  };
  std::uint64_t seed = 500;
  for (const Setting& setting :
       {Setting{1, 100}, Setting{1, 1}, Setting{2, 1}, Setting{25, 4}, Setting{100, 1}}) {
    ScriptedEntropy entropy(++seed);
    Rng rng(seed, 1, Purpose::test);
    std::vector<Int128> plain;
    for (std::size_t i = 0; i < kSample; ++i) {
      const auto x = oracle::discrete_gaussian<Uint128>(setting.a, setting.b, rng);
      plain.push_back(x.negative ? -static_cast<Int128>(x.magnitude) : static_cast<Int128>(x.magnitude));
    }
    EXPECT_GT(two_sample_fit(draw(Rational(setting.a, setting.b), kSample, entropy), plain), kAlpha)
        << "sigma2 " << setting.a << "/" << setting.b;
  }
}

TEST(GaussianSampler, PlainSamplersAgree) {
  Rng rng(510, 1, Purpose::test);
  std::vector<Int128> rational;
  std::vector<Int128> integer;
  for (std::size_t i = 0; i < 5'000; ++i) {
    const auto x = oracle::discrete_gaussian<Integer>(25, 4, rng);
    rational.push_back(x.negative ? -static_cast<Int128>(x.magnitude.get_ui()) : x.magnitude.get_ui());
    const auto y = oracle::discrete_gaussian<Uint128>(25, 4, rng);
    integer.push_back(y.negative ? -static_cast<Int128>(y.magnitude) : static_cast<Int128>(y.magnitude));
  }
  EXPECT_GT(two_sample_fit(rational, integer), kAlpha);
  EXPECT_GT(chi_square_fit(rational, gaussian_law(6.25)), kAlpha);
}

TEST(LongGaussianSampler, FitsWithFreshRandomness) {
  owner::Entropy entropy;
  for (const Rational& sigma2 : settings()) {
    expect_fits(draw(sigma2, 10'000'000, entropy), gaussian_law(sigma2.get_d()),
                "sigma2 " + sigma2.get_str());
  }
}

}  // namespace
}  // namespace postern::stat
