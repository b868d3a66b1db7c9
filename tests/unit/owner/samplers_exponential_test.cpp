#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/core/int128.hpp"
#include "postern/owner/digits.hpp"
#include "postern/owner/exponential_mechanism.hpp"

#include "prefixed_entropy.hpp"
#include "scripted_entropy.hpp"

namespace postern::owner {
namespace {

/// Tries a sampler will make, by hand: the words it compares with its prefix sums.
std::vector<std::uint8_t> words(const std::vector<Uint128>& values) {
  std::vector<std::uint8_t> out(16 * values.size());
  std::memcpy(out.data(), values.data(), out.size());
  return out;
}

constexpr Uint128 kBest = static_cast<Uint128>(1) << 62;  // the weight of a gap of 0

/// A best candidate weighs 2^62 exactly, so the last of its 2^62 + 1 slots is never kept.
TEST(ExponentialSampler, GivesTheBestItsExactWeight) {
  const std::vector<std::int64_t> tied{5, 5};
  const auto first_kept = [&](Uint128 v) {
    PrefixedEntropy entropy(
        words({v, 2 * kBest}));  // the second try, the last slot but one of candidate 1, is kept
    return ExponentialSampler(tied, Rational(1)).draw(entropy);
  };
  EXPECT_EQ(first_kept(0), 0u);
  EXPECT_EQ(first_kept(kBest - 1), 0u);
  EXPECT_EQ(first_kept(kBest), 1u) << "the last slot of candidate 0 must be drawn again";
  EXPECT_EQ(first_kept(kBest + 1), 1u);
}

/// The last slot of another candidate is kept with the probability its further digits say.
TEST(ExponentialSampler, ResolvesTheLastSlotByDigits) {
  const std::vector<std::int64_t> scores{0, -1};
  const CertifiedProbability weight{CertifiedProbability::Form::exp_minus, 1};
  const Uint128 w = digits(weight, 62).get_ui();
  const Uint128 last = kBest + 1 + w;  // first slot of candidate 1 is kBest + 1
  for (const bool below : {true, false}) {
    std::vector<std::uint8_t> bytes = words({last, 0, 0});
    bytes.insert(bytes.end(), 24, below ? 0x00 : 0xff);  // the 192 digits of U after the 62nd
    PrefixedEntropy entropy(bytes);
    EXPECT_EQ(ExponentialSampler(scores, Rational(1)).draw(entropy), below ? 1u : 0u);
    EXPECT_TRUE(entropy.exhausted());
  }
}

TEST(ExponentialSampler, TakesOneCandidate) {
  ScriptedEntropy entropy(1);
  for (const std::int64_t score : {INT64_MIN, std::int64_t{0}, INT64_MAX}) {
    EXPECT_EQ(ExponentialSampler(std::vector<std::int64_t>{score}, Rational(3, 7)).draw(entropy), 0u);
  }
}

TEST(ExponentialSampler, HugeScaleIsTheMaximum) {
  ScriptedEntropy entropy(2);
  const std::vector<std::int64_t> scores{3, 9, -4, 8, 9'000, 8'999};
  const ExponentialSampler sampler(scores, Rational(Integer("1000000000000")));
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(sampler.draw(entropy), 4u);
}

/// Gaps of 10^7 and of all of int64 are set up at once and drawn never.
TEST(ExponentialSampler, TakesHugeGaps) {
  ScriptedEntropy entropy(3);
  std::vector<std::int64_t> scores(1000, -10'000'000);
  scores[17] = 0;
  scores[18] = INT64_MIN;
  const ExponentialSampler sampler(scores, Rational(1));
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(sampler.draw(entropy), 17u);
}

/// The last slot of a candidate with a huge gap is settled without forming e^gap.
TEST(ExponentialSampler, SettlesHugeGapsByDigits) {
  const std::vector<std::int64_t> scores{0, -10'000'000};
  std::vector<std::uint8_t> bytes = words({kBest + 1, 0, 0});
  bytes.insert(bytes.end(), 23, 0);
  bytes.push_back(1);
  PrefixedEntropy entropy(bytes);
  EXPECT_EQ(ExponentialSampler(scores, Rational(1)).draw(entropy), 0u);
  EXPECT_TRUE(entropy.exhausted());
}

TEST(ExponentialSampler, BatchesAreDrawsInTurn) {
  ScriptedEntropy entropy(4);
  const ExponentialSampler sampler(std::vector<std::int64_t>{1, 2, 3, 4}, Rational(1, 9));
  std::vector<std::size_t> many(3000, 99);
  sampler.draw(many, entropy);
  for (const std::size_t i : many) EXPECT_LT(i, 4u);
  std::vector<std::size_t> none;
  sampler.draw(none, entropy);
}

TEST(ExponentialSampler, RefusesWhatItCannotDraw) {
  EXPECT_THROW(ExponentialSampler(std::vector<std::int64_t>{}, Rational(1)), Error);
  EXPECT_THROW(ExponentialSampler(std::vector<std::int64_t>{1, 2}, Rational(-1)), Error);
}

}  // namespace
}  // namespace postern::owner
