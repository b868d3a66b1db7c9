#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/owner/exponential_mechanism.hpp"

#include "sampler_fit.hpp"
#include "scripted_entropy.hpp"

namespace postern::stat {
namespace {

using owner::ExponentialSampler;
using owner::ScriptedEntropy;

double fit(const std::vector<std::int64_t>& scores, const Rational& scale, std::size_t n,
           owner::Entropy& entropy) {
  const ExponentialSampler sampler(scores, scale);
  std::vector<std::size_t> draws(n);
  sampler.draw(draws, entropy);
  std::vector<std::size_t> counts(scores.size());
  for (const std::size_t i : draws) ++counts[i];
  std::vector<double> p;
  double total = 0;
  const auto best = static_cast<double>(*std::max_element(scores.begin(), scores.end()));
  for (const std::int64_t score : scores) {
    p.push_back(std::exp(scale.get_d() * (static_cast<double>(score) - best)));
    total += p.back();
  }
  for (double& x : p) x /= total;
  return categorical_fit(counts, p);
}

std::vector<std::int64_t> hump(int candidates) {
  std::vector<std::int64_t> scores;
  for (std::int64_t i = 0; i < candidates; ++i)
    scores.push_back(-(i - candidates / 3) * (i - candidates / 3));
  return scores;
}

TEST(ExponentialSampler, FitsItsLaw) {
  constexpr std::size_t kDraws = 300'000;
  ScriptedEntropy entropy(600);
  EXPECT_GT(fit({0, 1, 2, 3, 4}, Rational(1, 2), kDraws, entropy), kAlpha);
  EXPECT_GT(fit({5, 5, 5, 1, 1, -100}, Rational(1, 3), kDraws, entropy), kAlpha) << "ties";
  EXPECT_GT(fit({7, 7, 7, 7, 7, 7, 7}, Rational(9), kDraws, entropy), kAlpha) << "all tied";
  EXPECT_GT(fit({3, -8, 12}, Rational(0), kDraws, entropy), kAlpha) << "scale 0 is uniform";
  EXPECT_GT(fit({0, -10'000'000, 1, -43, -44, -45}, Rational(1), kDraws, entropy), kAlpha) << "huge gaps";
  EXPECT_GT(fit({INT64_MAX, INT64_MIN, INT64_MAX}, Rational(1, 1000), kDraws, entropy), kAlpha)
      << "all of int64";
  EXPECT_GT(fit(hump(1001), Rational(1, 20'000), kDraws, entropy), kAlpha);
  EXPECT_GT(fit(hump(2001), Rational(1, 3), kDraws, entropy), kAlpha) << "mass on a few of many";
}

TEST(LongExponentialSampler, FitsWithFreshRandomness) {
  owner::Entropy entropy;
  EXPECT_GT(fit(hump(101), Rational(1, 200), 50'000'000, entropy), kAlpha);
  EXPECT_GT(fit(hump(10001), Rational(1, 2'000'000), 50'000'000, entropy), kAlpha);
}

}  // namespace
}  // namespace postern::stat
