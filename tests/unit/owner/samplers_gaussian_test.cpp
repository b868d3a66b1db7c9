#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/core/rng.hpp"
#include "postern/owner/digits.hpp"
#include "postern/owner/discrete_gaussian.hpp"
#include "postern/owner/fixed_exp.hpp"
#include "postern/owner/gaussian_filter.hpp"

#include "prefixed_entropy.hpp"

namespace postern::owner {
namespace {

using Form = CertifiedProbability::Form;

/// |2^63 e^-z - value|, in units of 2^-63 rounded up.
double error_units(const Rational& z, std::uint64_t value) {
  if (z == 0) return std::fabs(std::ldexp(1.0, 63) - static_cast<double>(value));
  const Integer exact = digits({Form::exp_minus, z}, 63);
  const Integer difference = abs(Integer(exact - Integer(static_cast<unsigned long>(value))));
  return difference.get_d() + 1;
}

/// The bound of discrete_gaussian.md, by brute force: every table entry with the least and the greatest
/// remainder, and many random z.
TEST(FixedExp, KeepsItsErrorBound) {
  const FixedExp& e = FixedExp::tables();
  Rng rng(1, 0, Purpose::test);
  const auto check = [&](std::uint64_t q56) {
    Rational z(Integer(static_cast<unsigned long>(q56)), Integer(1) << 56);
    z.canonicalize();
    ASSERT_LE(error_units(z, e(q56)), 64) << z.get_str();
  };
  for (std::uint64_t step = 0; step < 64 * 256; step += 7) {
    check(step << 48);
    check((step << 48) + (std::uint64_t{1} << 48) - 1);
  }
  for (int i = 0; i < 10'000; ++i) check(rng() >> 2);
}

std::vector<Rational> settings() {
  return {Rational(1, 1000000),
          Rational(1, 100),
          Rational(1, 7),
          Rational(1),
          Rational(2),
          Rational(6),
          Rational(12),
          Rational(100),
          Rational(12345, 67),
          Rational(Integer("1000000000000")),
          Rational(Integer(1) << 110),
          Rational((Integer(1) << 111) - 1),
          Rational((Integer(1) << 180) + 1, 3)};
}

Rational exponent_by_hand(const Rational& sigma2, const Integer& t, const Integer& y) {
  const Rational distance = Rational(y) - sigma2 / Rational(t);
  return distance * distance / (2 * sigma2);
}

Integer integer(Uint128 v) {
  return (Integer(static_cast<unsigned long>(v >> 64)) << 64) + static_cast<unsigned long>(v);
}

/// The limits z = 0 and z >= 64 are compared exactly, before any fixed point is formed, which would overflow.
TEST(GaussianFilter, KnowsItsLimitsExactly) {
  for (const Rational& sigma2 : settings()) {
    const GaussianFilter filter(sigma2);
    const Integer& t = filter.proposal_scale();
    EXPECT_TRUE(Rational((t - 1) * (t - 1)) <= sigma2 && sigma2 < Rational(t * t)) << sigma2.get_str();
    const Integer far = integer(filter.far());
    EXPECT_GE(exponent_by_hand(sigma2, t, far), 64) << sigma2.get_str();
    if (far > 0) {
      EXPECT_LT(exponent_by_hand(sigma2, t, far - 1), 64) << sigma2.get_str();
    }
    const Rational centre = sigma2 / Rational(t);
    const bool has_certain = filter.certain() != ~static_cast<Uint128>(0);
    EXPECT_EQ(has_certain, centre.get_den() == 1) << sigma2.get_str();
    if (has_certain) {
      EXPECT_EQ(Rational(integer(filter.certain())), centre) << sigma2.get_str();
    }
    EXPECT_EQ(filter.exponent(filter.far()), exponent_by_hand(sigma2, t, far)) << sigma2.get_str();
  }
}

/// The bound for proposals whose low bits are not dropped.
TEST(GaussianFilter, KeepsItsErrorBound) {
  Rng rng(2, 0, Purpose::test);
  for (const Rational& sigma2 : settings()) {
    const GaussianFilter filter(sigma2);
    const std::size_t bits = mpz_sizeinbase(filter.proposal_scale().get_mpz_t(), 2);
    const unsigned shift = bits > 56 ? static_cast<unsigned>(bits - 56) : 0;
    const auto far = static_cast<std::uint64_t>((filter.far() - 1) >> shift) + 1;
    for (int i = 0; i < 400; ++i) {
      const std::uint64_t y = i == 0 ? 0 : i == 1 ? far - 1 : rng() % far;
      const Rational z = filter.exponent(static_cast<Uint128>(y) << shift);
      ASSERT_LE(error_units(z, filter.approximate(y)), 256) << sigma2.get_str() << " y " << y;
    }
  }
}

/// A proposal forced to each side of z = 64 and z = 256 (where eight integer bits would wrap), with u at the
/// extremes.
TEST(GaussianFilter, RejectsTheFarTail) {
  for (const Rational& sigma2 : {Rational(1, 100), Rational(1), Rational(2), Rational(6), Rational(100)}) {
    const GaussianFilter filter(sigma2);
    std::uint64_t past_256 = static_cast<std::uint64_t>(filter.far());
    while (filter.exponent(past_256) < 256) ++past_256;
    for (std::uint64_t y = static_cast<std::uint64_t>(filter.far()) - 1; y <= past_256 + 3; ++y) {
      for (const std::uint64_t u :
           {GaussianFilter::kMargin + (1u << 20), std::uint64_t{1} << 62, (std::uint64_t{1} << 63) - 1}) {
        const GaussianFilter::Decision decision = filter.decide(y, u);
        EXPECT_EQ(decision.accept, 0u) << sigma2.get_str() << " y " << y;
        EXPECT_EQ(decision.undecided, 0u) << sigma2.get_str() << " y " << y;
        const GaussianFilter::Decision wide = filter.decide_wide(y, u);
        EXPECT_EQ(wide.accept, 0u);
        EXPECT_EQ(wide.undecided, 0u);
      }
      EXPECT_EQ(filter.decide(y, 0).undecided, 1u) << "the margin is left to certified digits";
      EXPECT_EQ(filter.decide(y, GaussianFilter::kMargin - (1u << 20)).undecided, 1u);
    }
  }
}

/// With u = 0 the comparison is settled by the digits after the 63rd, which the entropy is made to be just
/// below and just above.
TEST(GaussianFilter, SettlesTheTailByCertifiedDigits) {
  const GaussianFilter filter(Rational(1));
  for (const std::uint64_t y :
       {static_cast<std::uint64_t>(filter.far()) - 1, static_cast<std::uint64_t>(filter.far()),
        static_cast<std::uint64_t>(filter.far()) + 1, std::uint64_t{24}}) {
    const Rational z = filter.exponent(y);
    Integer next = digits({Form::exp_minus, z}, 63 + 192);
    const std::uint64_t u = Integer(next >> 192).get_ui();
    mpz_fdiv_r_2exp(next.get_mpz_t(), next.get_mpz_t(), 192);
    for (const int offset : {-1, 1}) {
      const Integer value = next + offset;
      if (value < 0) continue;
      std::vector<std::uint8_t> bytes(24);
      for (std::size_t i = 0; i < 24; ++i)
        bytes[23 - i] = static_cast<std::uint8_t>(Integer(value >> (8 * i)).get_ui());
      PrefixedEntropy entropy(bytes);
      EXPECT_EQ(filter.decide_exactly(y, u, entropy), offset < 0) << "y " << y;
      EXPECT_TRUE(entropy.exhausted());
    }
  }
}

TEST(GaussianFilter, AcceptsTheCentreAlways) {
  for (const unsigned t : {2u, 3u, 4u, 5u, 100u}) {
    const GaussianFilter filter(Rational(t * (t - 1)));
    ASSERT_EQ(static_cast<std::uint64_t>(filter.certain()), t - 1);
    for (const std::uint64_t u : {std::uint64_t{0}, std::uint64_t{1} << 62, (std::uint64_t{1} << 63) - 1}) {
      EXPECT_EQ(filter.decide(t - 1, u).accept, 1u);
      EXPECT_EQ(filter.decide(t - 1, u).undecided, 0u);
    }
    PrefixedEntropy entropy({});
    EXPECT_TRUE(filter.decide_exactly(t - 1, (std::uint64_t{1} << 63) - 1, entropy));
  }
}

/// Wherever the filter decides, it decides as the exact comparison does.
TEST(GaussianFilter, AgreesWithCertifiedDigits) {
  Rng rng(3, 0, Purpose::test);
  for (const Rational& sigma2 :
       {Rational(1, 100), Rational(1), Rational(6), Rational(100), Rational(12345, 67)}) {
    const GaussianFilter filter(sigma2);
    for (int i = 0; i < 2000; ++i) {
      const std::uint64_t y = rng() % (2 * static_cast<std::uint64_t>(filter.far()));
      // Half the u near the decision, where an error would show.
      const std::uint64_t near =
          filter.decide(y, 0).accept != 0 || y >= filter.far() ? 0 : filter.approximate(y);
      const std::uint64_t u =
          i % 2 == 0 ? rng() >> 1 : std::min(near + (rng() >> 38) - (1u << 25), ~std::uint64_t{0} >> 1);
      const GaussianFilter::Decision decision = filter.decide(y, u);
      if (decision.undecided != 0) continue;
      PrefixedEntropy entropy({});
      EXPECT_EQ(decision.accept != 0, filter.decide_exactly(y, u, entropy))
          << sigma2.get_str() << " y " << y << " u " << u;
    }
  }
}

TEST(GaussianSampler, RefusesWhatItCannotDraw) {
  EXPECT_THROW(DiscreteGaussianSampler(Rational(0)), Error);
  EXPECT_THROW(DiscreteGaussianSampler(Rational(-4)), Error);
  EXPECT_THROW(DiscreteGaussianSampler(Rational(Integer("1" + std::string(60, '0')))), Error);
  EXPECT_NO_THROW(DiscreteGaussianSampler(Rational(1, Integer("1" + std::string(60, '0')))));
}

TEST(GaussianSampler, IsAlmostSurelyZeroAtTinySigma) {
  PrefixedEntropy entropy({});
  std::vector<Int128> out(1000, 1);
  DiscreteGaussianSampler(Rational(1, 1000000)).draw(out, entropy);
  EXPECT_EQ(out, std::vector<Int128>(1000, 0));
}

}  // namespace
}  // namespace postern::owner
