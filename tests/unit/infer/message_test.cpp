// Sums of two counts that are multiples of a number, and how such a sum is shared out.

#include "counts/message.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "counts/split_envelope.hpp"
#include "fits.hpp"

namespace postern::infer {
namespace {

/// A law with a kink, on lo..lo + size - 1.
Message kinked(std::int64_t lo, std::size_t size, double at, double rate) {
  Message out{lo, std::vector<double>(size)};
  for (std::size_t i = 0; i < size; ++i) {
    const double s = static_cast<double>(lo) + static_cast<double>(i);
    out.weight[i] = rate * std::sqrt(s + 1) * std::exp(-rate * std::abs(s - at));
  }
  return out;
}

/// One sum by its definition.
double sum_at(const Message& a, const Message& b, std::int64_t n) {
  double sum = 0;
  for (std::int64_t x = a.lo; x <= a.window().hi; ++x) sum += a.at(x) * b.at(n - x);
  return sum;
}

void expect_multiples(const Message& a, const Message& b, Window keep, std::int64_t pitch, Care care) {
  SCOPED_TRACE(testing::Message() << a.weight.size() << " and " << b.weight.size() << ", pitch " << pitch);
  const Convolution found = convolve_multiples(a, b, keep, pitch, care);
  const Window sums{a.lo + b.lo, a.window().hi + b.window().hi};
  EXPECT_EQ(found.message.window(), multiples_in(intersect(keep, sums), pitch));
  const double allowed = found.error + 1e-18;
  for (std::int64_t k = found.message.lo; k <= found.message.window().hi; ++k) {
    const double sum = sum_at(a, b, pitch * k);
    ASSERT_NEAR(found.message.at(k), sum, allowed + 1e-11 * sum) << k;
  }
}

TEST(ConvolveMultiples, AreThoseOfTheWholeConvolution) {
  for (const std::int64_t pitch : {1, 2, 3, 7, 10, 64}) {
    for (const std::int64_t lo : {0, 13, 20}) {
      expect_multiples(kinked(lo, 40, 20, 0.2), kinked(3, 25, 9, 0.1), {0, 1000}, pitch, Care::of_largest);
      expect_multiples(kinked(lo, 40, 20, 0.2), kinked(3, 25, 9, 0.1), {50, 61}, pitch, Care::of_each);
    }
  }
}

// Wide enough for transforms; windows that leave out either end let them be shorter than the convolution.
TEST(ConvolveMultiples, AreRightByTransforms) {
  const Message a = kinked(31, 9000, 4000, 0.01);
  const Message b = kinked(5, 14000, 6000, 0.008);
  for (const std::int64_t pitch : {2, 5, 10}) {
    for (const Window keep :
         {Window{0, 30000}, Window{6001, 15340}, Window{17, 9000}, Window{13000, 40000}}) {
      EXPECT_GT(convolve_multiples(a, b, keep, pitch, Care::of_largest).error, 0) << keep.lo;
      expect_multiples(a, b, keep, pitch, Care::of_largest);
    }
  }
  expect_multiples(a, b, {9000, 11000}, 10, Care::of_each);  // one by one
  expect_multiples(a, b, {0, 30000}, 2, Care::of_each);      // by several transforms
}

TEST(ConvolveMultiples, MayBeNone) {
  const Message a = kinked(5, 3, 5, 1);
  EXPECT_TRUE(convolve_multiples(a, a, {11, 12}, 13, Care::of_largest).message.weight.empty());
  EXPECT_TRUE(convolve_multiples(a, a, {100, 120}, 10, Care::of_largest).message.weight.empty());
}

/// 40000 draws against the law left(x) right(sum - x).
void expect_drawn(const Message& left, const Message& right, std::int64_t sum, std::int64_t block) {
  constexpr int kDraws = 40'000;
  SCOPED_TRACE(testing::Message() << "sum " << sum << ", blocks of " << block);
  const SplitEnvelope envelope(left, right, block);
  std::vector<double> law(left.weight.size());
  double whole = 0;
  for (std::size_t i = 0; i < law.size(); ++i) {
    whole += law[i] = left.weight[i] * right.at(sum - left.lo - static_cast<std::int64_t>(i));
  }
  for (double& p : law) p /= whole;
  std::vector<double> seen(law.size(), 0.0);
  Rng rng(11, 0, Purpose::test);
  for (int i = 0; i < kDraws; ++i) {
    const auto x = envelope.draw(left, right, sum, rng);
    ASSERT_TRUE(x.has_value());
    ++seen.at(static_cast<std::size_t>(*x - left.lo));
  }
  EXPECT_GT(fits::cells_p_value(law, seen), fits::kAlpha);
}

TEST(SplitEnvelope, DrawsTheLeftPartOfASum) {
  const Message left = kinked(31, 3000, 1000, 0.01);
  const Message right = kinked(5, 5000, 2500, 0.008);
  for (const std::int64_t block : {16, 64}) {
    for (const std::int64_t sum : {200, 1200, 3500, 6001, 7500}) expect_drawn(left, right, sum, block);
  }
}

// Few counts of a block meet: the envelope gives up rather than go on for long, whatever it would draw.
TEST(SplitEnvelope, GivesUpWhereTooFewMeet) {
  const Message left = kinked(31, 3000, 1000, 0.1);
  const Message right = kinked(5, 5000, 2500, 0.1);
  Rng rng(13, 0, Purpose::test);
  EXPECT_FALSE(SplitEnvelope(left, right, 512).draw(left, right, 40, rng));
}

// More blocks than are looked at: they become wider.
TEST(SplitEnvelope, TakesAnyWidth) {
  expect_drawn(kinked(0, 200'000, 90'000, 1e-3), kinked(0, 150'000, 70'000, 1e-3), 161'000, 16);
}

TEST(SplitEnvelope, FindsNothingWhereNothingIs) {
  const Message left = kinked(10, 100, 20, 0.1);
  const SplitEnvelope envelope(left, left, 16);
  Rng rng(12, 0, Purpose::test);
  EXPECT_FALSE(envelope.draw(left, left, 19, rng));
  EXPECT_FALSE(envelope.draw(left, left, 1000, rng));
  const Message zero{10, std::vector<double>(100, 0.0)};
  EXPECT_FALSE(SplitEnvelope(left, zero, 16).draw(left, zero, 60, rng));
}

}  // namespace
}  // namespace postern::infer
