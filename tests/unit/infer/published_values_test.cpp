// The band of a published value against publishing every noisy value that could have been.
#include "postern/infer/noise/published_values.hpp"

#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/infer/noise/band_likelihood.hpp"
#include "postern/model/statistic/table.hpp"

#include "brute_noise.hpp"

namespace postern::infer {
namespace {

using model::ForeignLaw;
using model::Publishing;

/// Rounds, halves upwards; clips; holds back.
std::optional<Rational> publish(Rational noisy, const Publishing& how) {
  if (how.round_to) noisy = Rational(floor(noisy / *how.round_to + Rational(1, 2))) * *how.round_to;
  if (how.at_least && noisy < *how.at_least) noisy = *how.at_least;
  if (how.at_most && noisy > *how.at_most) noisy = *how.at_most;
  if (how.threshold && noisy < *how.threshold) return std::nullopt;
  return noisy;
}

std::vector<Publishing> ways(bool whole) {
  const auto number = [&](int value) { return Rational(value); };
  std::vector<Publishing> out{{},
                              {number(5), {}, {}, {}},
                              {number(4), {}, {}, {}},
                              {{}, number(0), {}, {}},
                              {{}, number(-3), number(12), {}},
                              {{}, {}, {}, number(4)},
                              {number(5), number(0), number(10), {}},
                              {number(4), number(3), {}, number(6)},
                              {number(4), {}, {}, number(7)}};
  if (!whole) out.push_back({Rational(1, 2), Rational(1, 4), {}, Rational(5, 4)});
  return out;
}

/// Every noisy value of a grid lies in the band of what it is published as, and of nothing else.
void expect_preimages(ForeignLaw law, const Rational& step) {
  const bool whole = model::is_discrete(law);
  for (const Publishing& how : ways(whole)) {
    model::ForeignBlock block{model::Table{{"x"}}, law, 2, how, {}};
    std::vector<Rational> noisy;
    for (Rational y = -20; y <= 20; y += step) {
      noisy.push_back(y + (whole ? Rational(0) : Rational(1, 1000)));  // off the ends, which are of measure 0
      block.values.push_back(publish(noisy.back(), how));
    }
    const std::vector<NoisyValue> values = noisy_values(block);
    for (std::size_t i = 0; i < noisy.size(); ++i) {
      for (std::size_t j = 0; j < noisy.size(); ++j) {
        const double y = noisy[j].get_d();
        const bool in =
            values[i].band ? values[i].band->low <= y && y <= values[i].band->high : values[i].y == y;
        EXPECT_EQ(in, block.values[i] == block.values[j]) << noisy[i] << " and " << noisy[j];
      }
    }
  }
}

TEST(PublishedValues, BandsAreThePreimagesOfDiscreteNoise) {
  expect_preimages(ForeignLaw::discrete_laplace, 1);
  expect_preimages(ForeignLaw::discrete_gaussian, 1);
}

TEST(PublishedValues, BandsAreThePreimagesOfContinuousNoise) {
  expect_preimages(ForeignLaw::laplace, Rational(1, 4));
  expect_preimages(ForeignLaw::gaussian, Rational(1, 4));
}

TEST(PublishedValues, KnowsTheirLawInOtherUnits) {
  const model::ForeignBlock block{model::Table{{"x"}}, ForeignLaw::discrete_laplace, 6, {}, {Rational(25)}};
  const std::vector<NoisyValue> values = noisy_values(block, {10, 3});
  EXPECT_DOUBLE_EQ(values[0].y, 5);
  EXPECT_DOUBLE_EQ(release::shape(values[0].law).rate, 0.5);
  model::ForeignBlock rounded = block;
  rounded.published.round_to = 5;
  EXPECT_THROW(static_cast<void>(noisy_values(rounded, {10, 3})), Error);
}

TEST(BandLikelihood, IsTheProbabilityOfTheBand) {
  using namespace release;
  for (const NoiseLaw& law :
       {NoiseLaw(DiscreteLaplace(0.3)), NoiseLaw(DiscreteGaussian(7)), NoiseLaw(DiscreteGaussian(4900)),
        NoiseLaw(Laplace(3)), NoiseLaw(Gaussian(7))}) {
    const double sd = std::ceil(std::sqrt(variance(law)));
    for (const Band& band :
         {Band{-2, 3}, Band{-HUGE_VAL, 4}, Band{4, HUGE_VAL}, Band{10 * sd, 10 * sd + 1}}) {
      const BandLikelihood likelihood(law, band);
      for (double s = -6 * sd; s <= 20 * sd; s += sd) {
        const double right = brute_band(law, band.low - s, band.high - s);
        EXPECT_NEAR(likelihood.log_at(s), right, 1e-9 * (1 + std::abs(right))) << law.index() << " " << s;
        EXPECT_LE(likelihood.log_at(s - 1) + likelihood.log_at(s + 1), 2 * likelihood.log_at(s) + 1e-9);
      }
      EXPECT_TRUE(std::isfinite(likelihood.log_at(1e9)));
      EXPECT_TRUE(std::isfinite(likelihood.log_at(-1e9)));
    }
  }
}

}  // namespace
}  // namespace postern::infer
