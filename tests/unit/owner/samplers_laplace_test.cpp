#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/owner/bernoulli.hpp"
#include "postern/owner/discrete_laplace.hpp"
#include "postern/owner/laplace_kernel.hpp"

#include "prefixed_entropy.hpp"
#include "scripted_entropy.hpp"

namespace postern::owner {
namespace {

/// The work of one call of the kernel, with room for its results.
struct Fold {
  Fold(std::size_t digit_rows, std::size_t group_count, const std::vector<std::uint16_t>& lane_values)
      : digits(digit_rows),
        groups(group_count),
        lanes(lane_values),
        thresholds(digit_rows + 2),
        magnitude(16 * group_count),
        negative(16 * group_count),
        tied(group_count) {}
  void run(FoldVariant variant) {
    fold(variant,
         {lanes.data(), groups, thresholds.data(), digits, magnitude.data(), negative.data(), tied.data()});
  }
  std::size_t digits;
  std::size_t groups;
  std::vector<std::uint16_t> lanes;
  std::vector<std::int16_t> thresholds;
  std::vector<std::uint64_t> magnitude;
  std::vector<std::uint64_t> negative;
  std::vector<std::uint8_t> tied;
};

Fold random_fold(std::size_t digits, std::uint64_t seed) {
  constexpr std::size_t kGroups = 7;
  Rng rng(seed, 0, Purpose::test);
  std::vector<std::uint16_t> lanes(kGroups * (digits + 3) * 16);
  for (std::uint16_t& lane : lanes) lane = static_cast<std::uint16_t>(rng());
  Fold out(digits, kGroups, lanes);
  for (std::int16_t& t : out.thresholds)
    t = biased_threshold(static_cast<std::uint16_t>(rng() >> (64 - kFirstBits)));
  out.thresholds[digits] = biased_threshold(0);
  return out;
}

TEST(LaplaceKernel, EveryVariantGivesTheSameNumbers) {
  if (!runs_here(FoldVariant::avx2)) GTEST_SKIP() << "this processor has no AVX2";
  for (std::size_t digits = 0; digits <= 61; ++digits) {
    Fold one = random_fold(digits, digits);
    Fold other = one;
    one.run(FoldVariant::portable);
    other.run(FoldVariant::avx2);
    EXPECT_EQ(one.magnitude, other.magnitude) << digits;
    EXPECT_EQ(one.negative, other.negative) << digits;
    EXPECT_EQ(one.tied, other.tied) << digits;
  }
}

TEST(LaplaceKernel, DoesWhatTheLayoutSays) {
  for (const std::size_t digits : {0, 1, 15, 16, 17, 33, 61}) {
    Fold work = random_fold(digits, 100 + digits);
    work.run(FoldVariant::portable);
    for (std::size_t i = 0; i < work.magnitude.size(); ++i) {
      const std::uint16_t* lane = work.lanes.data() + i / 16 * (digits + 3) * 16 + i % 16;
      std::uint64_t g = 0;
      bool tie = false;
      for (std::size_t row = 0; row < digits + 2; ++row) {
        const std::int16_t r = biased_lane(lane[row * 16]);
        if (row < digits && r < work.thresholds[row]) g |= std::uint64_t{1} << row;
        tie = tie || r == work.thresholds[row];
      }
      const bool zero = biased_lane(lane[(digits + 1) * 16]) < work.thresholds[digits + 1];
      EXPECT_EQ(work.magnitude[i], zero ? 0 : g + 1);
      EXPECT_EQ(work.negative[i], (lane[(digits + 2) * 16] & 1) != 0 ? ~std::uint64_t{0} : 0);
      EXPECT_TRUE(!tie || work.tied[i / 16] != 0);
    }
  }
}

/// All 2^16 lanes against one threshold: the share below it is the first level of the probability, and the
/// order of signed comparison is that of unsigned prefixes.
TEST(LaplaceKernel, ComparesPrefixesInOrder) {
  const std::uint16_t level = (1u << kFirstBits) / 3;
  std::size_t below = 0;
  std::size_t equal = 0;
  for (std::uint32_t lane = 0; lane < 65536; ++lane) {
    below += biased_lane(static_cast<std::uint16_t>(lane)) < biased_threshold(level) ? 1 : 0;
    equal += biased_lane(static_cast<std::uint16_t>(lane)) == biased_threshold(level) ? 1 : 0;
  }
  EXPECT_EQ(below, std::size_t{level} << (16 - kFirstBits));
  EXPECT_EQ(equal, std::size_t{1} << (16 - kFirstBits));
}

std::vector<Int128> draw(const Rational& lambda, std::size_t n, Entropy& entropy) {
  std::vector<Int128> out(n);
  DiscreteLaplaceSampler(lambda).draw(out, entropy);
  return out;
}

/// Bytes that decide one group by hand: every prefix all ones (false, as no probability here starts so), then
/// chosen rows.
class Lanes {
 public:
  explicit Lanes(std::size_t rows) : lanes_(rows * 16, 0x7fff) {}
  Lanes& row(std::size_t row, std::uint16_t value) {
    std::fill_n(lanes_.begin() + static_cast<std::ptrdiff_t>(16 * row), 16, value);
    return *this;
  }
  [[nodiscard]] std::vector<std::uint8_t> bytes() const {
    std::vector<std::uint8_t> out(2 * lanes_.size());
    std::memcpy(out.data(), lanes_.data(), out.size());
    return out;
  }

 private:
  std::vector<std::uint16_t> lanes_;
};

constexpr std::uint16_t kLowest = 0x8000;  // the least prefix, once lanes are read as signed
constexpr std::size_t kDigitsAtOne = 6;    // least m with 2^m >= 45

TEST(LaplaceSampler, ReadsDigitsZeroAndSign) {
  const std::size_t rows = kDigitsAtOne + 3;
  // P(digit 0 = 1) = 1/(1+e) = .27, P(digit 1 = 1) = .12: their first levels are positive, so the least
  // prefix is below.
  PrefixedEntropy both(Lanes(rows).row(0, kLowest).row(1, kLowest).row(rows - 1, 0).bytes());
  EXPECT_EQ(draw(1, 16, both), std::vector<Int128>(16, 4));
  PrefixedEntropy negative(Lanes(rows).row(1, kLowest).row(rows - 1, 1).bytes());
  EXPECT_EQ(draw(1, 16, negative), std::vector<Int128>(16, -3));
  PrefixedEntropy zero(Lanes(rows).row(0, kLowest).row(rows - 2, kLowest).row(rows - 1, 1).bytes());
  EXPECT_EQ(draw(1, 16, zero), std::vector<Int128>(16, 0));
}

/// The tail lane ties at zero; zeros at each level make it true, and then it is drawn again until it is
/// false.
TEST(LaplaceSampler, AddsAMemorylessTail) {
  const std::size_t rows = kDigitsAtOne + 3;
  std::vector<std::uint8_t> bytes = Lanes(rows).row(kDigitsAtOne, kLowest).row(rows - 1, 0).bytes();
  const std::size_t once =
      (kSecondBits + 7) / 8 + kNextBits / 8;  // resolve: second level, then 192 bits below e^-64
  const std::size_t again = (kFirstBits + 7) / 8 + once;
  bytes.insert(bytes.end(), once + 2 * again, 0);         // the first draw: three tails
  bytes.insert(bytes.end(), (kFirstBits + 7) / 8, 0xff);  // and no fourth
  for (int i = 1; i < 16; ++i) bytes.insert(bytes.end(), (kSecondBits + 7) / 8, 0xff);  // the others: none
  PrefixedEntropy entropy(bytes);
  std::vector<Int128> expected(16, 1);
  expected[0] = 1 + 3 * 64;
  EXPECT_EQ(draw(1, 16, entropy), expected);
}

/// At scale 2^55 a few tails pass 2^63: the value must come out whole.
TEST(LaplaceSampler, CarriesTailsPastSixtyFourBits) {
  constexpr std::size_t kDigits = 61;
  std::vector<std::uint8_t> bytes = Lanes(kDigits + 3).row(kDigits, kLowest).row(kDigits + 2, 1).bytes();
  const std::size_t once = (kSecondBits + 7) / 8 + kNextBits / 8;
  const std::size_t again = (kFirstBits + 7) / 8 + once;
  bytes.insert(bytes.end(), once + 9 * again, 0);
  bytes.insert(bytes.end(), (kFirstBits + 7) / 8, 0xff);
  for (int i = 1; i < 16; ++i) bytes.insert(bytes.end(), (kSecondBits + 7) / 8, 0xff);
  PrefixedEntropy entropy(bytes);
  const std::vector<Int128> drawn = draw(Rational(1, Integer(1) << 55), 16, entropy);
  EXPECT_TRUE(drawn[0] == -(1 + (static_cast<Int128>(10) << 61)));
  EXPECT_TRUE(drawn[1] == -1);
}

TEST(LaplaceSampler, DoesNotDependOnTheBatch) {
  ScriptedEntropy one(5);
  ScriptedEntropy other(5);
  const Rational lambda(1, 37);
  const std::vector<Int128> whole = draw(lambda, 160, one);
  std::vector<Int128> parts;
  for (int i = 0; i < 10; ++i) {
    const std::vector<Int128> part = draw(lambda, 16, other);
    parts.insert(parts.end(), part.begin(), part.end());
  }
#ifndef POSTERN_SHORT_PREFIX  // there, ties read further bytes between the groups
  EXPECT_EQ(whole, parts);
#endif
  EXPECT_EQ(whole.size(), parts.size());
}

TEST(LaplaceSampler, RefusesWhatItCannotDraw) {
  EXPECT_THROW(DiscreteLaplaceSampler(Rational(0)), Error);
  EXPECT_THROW(DiscreteLaplaceSampler(Rational(-1, 3)), Error);
  EXPECT_THROW(DiscreteLaplaceSampler(Rational(1, Integer(1) << 97)), Error);
  EXPECT_NO_THROW(DiscreteLaplaceSampler(Rational(1, Integer(1) << 96)));
  EXPECT_NO_THROW(DiscreteLaplaceSampler(Rational(Integer("1" + std::string(60, '0')))));
}

TEST(LaplaceSampler, IsAlmostSurelyZeroAtHugeLambda) {
  ScriptedEntropy entropy(6);
  for (const Rational& lambda : {Rational(90), Rational(100), Rational(Integer("1000000000000"))}) {
    EXPECT_EQ(draw(lambda, 1000, entropy), std::vector<Int128>(1000, 0));
  }
}

TEST(LaplaceSampler, TakesAnyRational) {
  ScriptedEntropy entropy(7);
  const Rational odd(Integer("123456789012345678901234567890123456789"),
                     Integer("987654321098765432109876543210"));
  EXPECT_EQ(draw(odd, 100, entropy).size(), 100u);
  EXPECT_EQ(draw(1 / odd, 100, entropy).size(), 100u);
}

}  // namespace
}  // namespace postern::owner
