#include "truncated_beta.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/assess/distances.hpp"
#include "postern/core/special.hpp"

namespace postern::zhang16 {
namespace {

TEST(TruncatedBeta, HasTheMomentsByHand) {
  // Beta(3, 2) on [.2, .8]: mean .55345455, variance .02386988. n = 200000, five standard errors: 6e-7 for
  // the mean.
  const TruncatedBeta law(3, 2, .2, .8);
  Rng rng(1, 0, Purpose::test);
  constexpr int kDraws = 200'000;
  double mean = 0;
  double square = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = law.draw(rng);
    ASSERT_GE(x, .2);
    ASSERT_LE(x, .8);
    mean += x / kDraws;
    square += x * x / kDraws;
  }
  EXPECT_NEAR(mean, .55345455, 5 * std::sqrt(.02386988 / kDraws));
  EXPECT_NEAR(square - mean * mean, .02386988, 5 * .02386988 * std::sqrt(2. / kDraws));
}

struct Case {
  double a, b, lo, hi;
};

// n = 20000: a right sampler is farther than .01905 from its law once in 10^6 times (Dvoretzky, Kiefer,
// Wolfowitz).
TEST(TruncatedBeta, FollowsItsLaw) {
  const std::vector<Case> cases = {{3, 2, .2, .8},      {.3, .2, .01, .99}, {1, 1, .4, .6},
                                   {51, 1, .001, .999}, {1, 51, .1, .9},    {400, 900, .25, .4}};
  std::uint32_t stream = 0;
  for (const Case& c : cases) {
    const TruncatedBeta law(c.a, c.b, c.lo, c.hi);
    Rng rng(2, stream++, Purpose::test);
    std::vector<double> drawn(20'000);
    for (double& x : drawn) x = law.draw(rng);
    const double below = beta_cdf(c.a, c.b, c.lo);
    const double inside = beta_cdf(c.a, c.b, c.hi) - below;
    EXPECT_LT(assess::ks_from_law(drawn, [&](double x) { return (beta_cdf(c.a, c.b, x) - below) / inside; }),
              .01905);
  }
}

TEST(TruncatedBeta, DrawsWhereTheLawHasNoMass) {
  // Beta(1e6, 2e6) on [.5, .9]: the mass is about e^-170000, and lies at .5 with a scale of 1e-6.
  const TruncatedBeta law(1e6, 2e6, .5, .9);
  Rng rng(3, 0, Purpose::test);
  double mean = 0;
  for (int i = 0; i < 10'000; ++i) mean += (law.draw(rng) - .5) / 10'000;
  EXPECT_NEAR(mean, 5e-7, 5e-8);  // density falls with the rate 2e6 / .5 - 1e6 / .5
}

}  // namespace
}  // namespace postern::zhang16
