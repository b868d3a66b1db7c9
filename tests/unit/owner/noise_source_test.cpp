#include "postern/owner/noise_source.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "postern/core/error.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/statistic/rank_scores.hpp"
#include "postern/model/statistic/table.hpp"
#include "postern/owner/discrete_gaussian.hpp"
#include "postern/owner/discrete_laplace.hpp"

#include "scripted_entropy.hpp"
#include "test_tokens.hpp"

namespace postern::owner {
namespace {

model::NoisePlan plan_of(const std::vector<model::Block>& blocks) {
  model::NoisePlan plan;
  plan.measurement.blocks = blocks;
  return plan;
}

model::Block laplace(const Rational& lambda, std::size_t size) {
  return {model::Table{{"x"}}, {model::NoiseKind::discrete_laplace, lambda}, size};
}

model::Block gaussian(const Rational& sigma2, std::size_t size) {
  return {model::Table{{"x"}}, {model::NoiseKind::discrete_gaussian, sigma2}, size};
}

std::vector<std::vector<Int128>> draw(const model::NoisePlan& plan, Entropy& entropy) {
  return NoiseSource(TestTokens::make(plan), entropy).draw().added();
}

TEST(NoiseSource, DrawsOneVectorForEachBlock) {
  Entropy entropy;
  const auto noise =
      draw(plan_of({laplace(1, 3), gaussian(2, 0), laplace(Rational(1, 9), 1), gaussian(5, 700)}), entropy);
  ASSERT_EQ(noise.size(), 4u);
  EXPECT_EQ(noise[0].size(), 3u);
  EXPECT_EQ(noise[1].size(), 0u);
  EXPECT_EQ(noise[2].size(), 1u);
  EXPECT_EQ(noise[3].size(), 700u);
}

TEST(NoiseSource, DrawsThePlanAndNothingElse) {
  ScriptedEntropy one(7);
  ScriptedEntropy other(7);
  const auto noise = draw(plan_of({laplace(Rational(1, 4), 40), gaussian(Rational(30, 7), 50)}), one);
  std::vector<Int128> first(40);
  std::vector<Int128> second(50);
  DiscreteLaplaceSampler(Rational(1, 4)).draw(first, other);
  DiscreteGaussianSampler(Rational(30, 7)).draw(second, other);
  EXPECT_EQ(noise[0], first);
  EXPECT_EQ(noise[1], second);
}

TEST(NoiseSource, ChoosesOnceAndOnlyWhatThePlanHolds) {
  ScriptedEntropy entropy(9);
  const model::Block choice{model::RankScores{"x", Rational(1, 2)}, {model::NoiseKind::exponential, 50}, 1};
  DrawnNoise drawn = NoiseSource(TestTokens::make(plan_of({laplace(1, 2), choice})), entropy).draw();
  EXPECT_TRUE(drawn.added()[1].empty());
  const std::vector<Int128> scores{-3, 0, -1};
  EXPECT_THROW((void)drawn.choose(0, scores), Error);
  EXPECT_EQ(drawn.choose(1, scores), 1);  // another one has a probability of e^-50
  EXPECT_THROW((void)drawn.choose(1, scores), Error);
}

/// The variances of a discrete Laplace (lambda = 1/1000) and a discrete Gaussian (sigma = 1000), within 4.9
/// standard errors of their estimates (the fourth moments are 24 b^4 and 3 sigma^4).
TEST(NoiseSource, DrawsTheScaleOfThePlan) {
  ScriptedEntropy entropy(8);
  constexpr std::size_t kDraws = 20'000;
  const auto noise =
      draw(plan_of({laplace(Rational(1, 1000), kDraws), gaussian(1'000'000, kDraws)}), entropy);
  const auto mean_square = [](const std::vector<Int128>& values) {
    double sum = 0;
    for (const Int128 x : values) sum += static_cast<double>(x) * static_cast<double>(x);
    return sum / static_cast<double>(values.size());
  };
  const double root = std::sqrt(static_cast<double>(kDraws));
  EXPECT_NEAR(mean_square(noise[0]), 2e6, 4.9 * std::sqrt(24.0 - 4.0) * 1e6 / root);
  EXPECT_NEAR(mean_square(noise[1]), 1e6, 4.9 * std::sqrt(3.0 - 1.0) * 1e6 / root);
}

TEST(NoiseSource, DrawsEachCoordinateAnew) {
  Entropy entropy;
  const Rational wide(1, Integer(1) << 50);
  for (const auto& values : draw(plan_of({laplace(wide, 100), gaussian(Integer(1) << 100, 100)}), entropy)) {
    EXPECT_EQ(std::set<Int128>(values.begin(), values.end()).size(), 100u);  // chance of a tie below 2^-37
  }
}

TEST(NoiseSource, DrawsAnewForEachRelease) {
  Entropy entropy;
  const auto plan = plan_of({laplace(Rational(1, 1000), 32)});
  EXPECT_NE(draw(plan, entropy), draw(plan, entropy));
}

TEST(NoiseSource, MixesKernelBytesForEachRelease) {
  class Counting final : public Entropy {
   public:
    Counting() : Entropy(NoKernel{}) {}
    void fill(std::span<std::uint8_t> out) override {
      std::fill(out.begin(), out.end(), rekeys == 0 ? 0xff : 0x77);
    }
    void rekey() override { ++rekeys; }
    int rekeys = 0;
  };
  Counting entropy;
  (void)draw(plan_of({laplace(1, 1), laplace(1, 1)}), entropy);
  EXPECT_EQ(entropy.rekeys, 1);
}

TEST(NoiseSource, AForkedChildDrawsOtherNoise) {
  Entropy entropy;
  const DiscreteLaplaceSampler sampler(Rational(1, Integer(1) << 50));
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const auto noise = [&] {
    std::array<Int128, 8> out{};
    sampler.draw(out, entropy);
    return out;
  };
  const pid_t child = fork();
  if (child == 0) {
    const auto theirs = noise();
    _exit(write(ends[1], theirs.data(), sizeof theirs) == sizeof theirs ? 0 : 1);
  }
  std::array<Int128, 8> theirs{};
  EXPECT_EQ(read(ends[0], theirs.data(), sizeof theirs), static_cast<ssize_t>(sizeof theirs));
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
  close(ends[0]);
  close(ends[1]);
  EXPECT_NE(theirs, noise());
}

}  // namespace
}  // namespace postern::owner
