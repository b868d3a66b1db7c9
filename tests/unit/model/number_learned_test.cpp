// The learned prior of every family: conjugate, as flat as its page says, and of at most 40 terms.

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/model/study_file.hpp"

#include "fits.hpp"
#include "number_laws.hpp"

namespace postern::model {
namespace {

constexpr StatisticRange kRange{0, 20};

class LearnedPriorTest : public testing::TestWithParam<KnownLaw> {
 protected:
  const KnownLaw& k = GetParam();
  [[nodiscard]] StatisticRange range() const {
    const double from = k.family->least ? std::log(k.known[*k.family->least].get_d()) : 0;
    return k.family->non_negative ? StatisticRange{from, 20} : StatisticRange{-10, 30};
  }
  [[nodiscard]] LawWithPrior learned(double scale = 1) const {
    return learned_prior(*k.family, k.known, range(), scale);
  }
  [[nodiscard]] Sums sums() const {
    const double start = k.family->least ? std::log(k.known[*k.family->least].get_d()) : 0;
    return {6, 6 * start + 9, 40 + 6 * start * start + 18 * start};
  }
};

TEST_P(LearnedPriorTest, HasFortyTermsAtMost) {
  const std::vector<PriorTerm> terms = k.family->learned(k.known, range(), 1);
  EXPECT_LE(terms.size(), 40U);
  double shares = 0;
  for (const PriorTerm& term : terms) shares += std::exp(term.log_share);
  EXPECT_NEAR(shares, 1, 1e-12);
}

// prior + likelihood - posterior is the evidence, for every theta; between two priors the likelihood falls
// out.
TEST_P(LearnedPriorTest, UpdateIsBayesRule) {
  const LawWithPrior one = learned();
  const LawWithPrior other = learned(3);
  const Sums records = sums();
  ASSERT_TRUE(one.law->possible(records));
  std::vector<Theta> thetas = k.thetas;
  thetas.push_back(k.two() ? Theta{0.3, 1.5} : Theta{0.4});
  const auto log_gain = [&](const LawWithPrior& of, const Theta& theta) {
    const Hyper after = of.law->update(of.prior, records);
    return of.law->log_prior(of.prior, theta) - of.law->log_prior(after, theta) -
           of.law->log_evidence(of.prior, records);
  };
  for (const Theta& theta : thetas) EXPECT_NEAR(log_gain(one, theta), log_gain(other, theta), 1e-10);
}

// Records seen one after another, and together.
TEST_P(LearnedPriorTest, UpdatesAddUp) {
  const Sums all = sums();
  const Sums some{2, all.t / 3, all.squares / 3};
  const Sums rest{4, all.t - some.t, all.squares - some.squares};
  const auto [law, prior] = learned();
  const Hyper together = law->update(prior, all);
  const Hyper apart = law->update(law->update(prior, some), rest);
  for (const Theta& theta : k.thetas)
    EXPECT_NEAR(law->log_prior(together, theta), law->log_prior(apart, theta), 1e-10);
  const auto log_surplus = [&](const LawWithPrior& of) {
    return of.law->log_evidence(of.prior, all) - of.law->log_evidence(of.prior, some) -
           of.law->log_evidence(of.law->update(of.prior, some), rest);
  };
  EXPECT_NEAR(log_surplus(learned()), log_surplus(learned(3)), 1e-10);
  EXPECT_EQ(law->update(prior, {}), prior);
}

/// z at even steps between quantiles of draws, and its distribution function there by summing the density.
TEST_P(LearnedPriorTest, DrawsFollowTheDensityWhichIsNormalised) {
  if (k.two()) GTEST_SKIP() << "two parameters: LearnedNormal";
  for (const bool seen : {false, true}) {
    const auto [law, none] = learned();
    const Hyper prior = seen ? law->update(none, sums()) : none;
    const ParameterSpace space = law->space(0);
    const auto place = [&](double theta) {
      if (space == ParameterSpace::real) return theta;
      return space == ParameterSpace::positive ? std::log(theta) : std::log(theta) - std::log1p(-theta);
    };
    constexpr double kFrom = -60;
    constexpr double kStep = 5e-3;
    std::vector<double> edges;
    std::vector<double> cdf;
    double sum = 0;
    for (int i = 0; i < 24'000; ++i) {
      const double z = kFrom + kStep * i;
      sum += std::exp(law->log_prior_on_line(prior, z + kStep / 2)) * kStep;
      if (i % 40 != 39) continue;
      edges.push_back(z + kStep);
      cdf.push_back(sum);
    }
    EXPECT_NEAR(sum, 1, k.family->bounded ? 2e-2 : 1e-6);  // A = .1 has mass beyond e^-60
    if (k.family->bounded) continue;
    Rng rng(20261118, 7, Purpose::test);
    std::vector<double> draws(20'000);
    for (double& draw : draws) draw = place(law->draw_theta(prior, rng)[0]);
    EXPECT_GT(fits::edges_p_value(edges, cdf, draws), fits::kAlpha) << seen;
  }
}

// Where theta is a double, the line's density is that of theta.
TEST_P(LearnedPriorTest, IsTheSameOnTheLine) {
  if (k.two()) GTEST_SKIP() << "two parameters";
  const auto [law, prior] = learned();
  for (const Theta& theta : k.thetas) {
    const double x = theta[0];
    const double z = law->space(0) == ParameterSpace::real       ? x
                     : law->space(0) == ParameterSpace::positive ? std::log(x)
                                                                 : std::log(x / (1 - x));
    const double jacobian = law->space(0) == ParameterSpace::real       ? 1
                            : law->space(0) == ParameterSpace::positive ? x
                                                                        : x * (1 - x);
    EXPECT_NEAR(law->log_prior_on_line(prior, z), law->log_prior(prior, theta) + std::log(jacobian), 1e-10);
  }
}

INSTANTIATE_TEST_SUITE_P(All, LearnedPriorTest, testing::ValuesIn(known_laws()),
                         [](const auto& one) { return test_name(one.param.family->name); });

/// By how much the log of a density strays from its middle, at even steps of z from lo to hi.
double ripple(const LawWithPrior& of, double lo, double hi) {
  double least = HUGE_VAL;
  double most = -HUGE_VAL;
  for (int i = 0; i <= 400; ++i) {
    const double value = of.law->log_prior_on_line(of.prior, lo + (hi - lo) * i / 400);
    least = std::min(least, value);
    most = std::max(most, value);
  }
  return 0.5 * (most - least);
}

LawWithPrior learned_law(const char* name, const std::vector<Rational>& known, StatisticRange range) {
  return learned_prior(*find_number_family(name), known, range);
}

TEST(LearnedPriorsFlatness, RatesAreLogUniform) {
  const double log_most = std::log(200);  // ten times the bound; a hundred-thousandth of it is 13.8 below
  const LawWithPrior poisson = learned_law("poisson", {}, kRange);
  EXPECT_LT(ripple(poisson, log_most - 11.3, log_most - 8), 7e-4);
  EXPECT_NEAR(poisson.law->log_prior_on_line(poisson.prior, std::log(20)) -
                  poisson.law->log_prior_on_line(poisson.prior, std::log(0.02)),
              -0.06, 0.02);
  EXPECT_LT(ripple(learned_law("exponential", {}, kRange), -log_most + 2.5, -log_most + 5.8), 7e-4);
  EXPECT_LT(ripple(learned_law("weibull", {4}, {0, 160'000}), -std::log(1.6e9) + 3, -std::log(1.6e9) + 47),
            0.014);
}

TEST(LearnedPriorsFlatness, OddsAreLogUniform) {
  // The log odds of theta are those of failures, turned round.
  EXPECT_LT(ripple(learned_law("geometric", {}, kRange), -std::log(200) + 2.5, -std::log(2e-4) - 2.5), 0.03);
}

TEST(LearnedPriorsFlatness, AMeanOfKnownVarianceIsFlatOverTheRange) {
  EXPECT_LT(ripple(learned_law("normal-mean", {4}, {-10, 30}), -10, 30), 0.02);
}

/// The density of a mean and the log of a standard deviation, both in units of half the range.
double density(const LawWithPrior& of, double mean, double log_sd) {
  const double variance = std::exp(2 * log_sd);
  return std::exp(of.law->log_prior(of.prior, {mean, variance})) * 2 * variance;
}

// sigma/sqrt(sigma2 + .08) ~ Uniform(0, 1); the mean flat from -1 to 1.
TEST(LearnedPriorsFlatness, MeanAndScaleOfANormal) {
  const LawWithPrior of = learned_law("normal", {}, {-1, 1});
  for (double log_sd = std::log(1e-3); log_sd < std::log(3.0); log_sd += 0.2) {
    double all = 0;
    double inside = 0;
    double least = HUGE_VAL;
    double most = 0;
    const double reach = 40 * (1 + std::exp(log_sd));
    for (int i = -1000; i <= 1000; ++i) all += density(of, reach * i / 1000, log_sd) * reach / 1000;
    for (int i = -50; i <= 50; ++i) {
      const double here = density(of, i / 50., log_sd);
      inside += here / 101;
      least = std::min(least, here);
      most = std::max(most, here);
    }
    EXPECT_GT(least, 0.88 * inside) << log_sd;
    EXPECT_LT(most, 1.12 * inside) << log_sd;
    const double below = 1 / std::sqrt(1 + 0.08 * std::exp(-2 * log_sd));
    EXPECT_NEAR(std::log(all / (below * (1 - below * below))), 0, 0.08) << log_sd;
  }
}

TEST(LearnedNormal, DrawsFollowTheDensity) {
  const auto [law, none] = learned_law("normal", {}, {0, 10});
  for (const Hyper& prior : {none, law->update(none, {5, 20, 100})}) {
    constexpr double kStep = 0.05;    // of log sigma2
    constexpr double kAcross = 0.05;  // of t, mu = 5 + 5 sinh t
    std::vector<double> edges;
    std::vector<double> cdf;
    double sum = 0;
    for (int i = 0; i < 600; ++i) {
      const double log_variance = -14 + kStep * (i + 0.5);
      for (int j = -240; j <= 240; ++j) {
        const double t = kAcross * j;
        const Theta theta{5 + 5 * std::sinh(t), std::exp(log_variance)};
        sum += std::exp(law->log_prior(prior, theta) + log_variance) * kStep * kAcross * 5 * std::cosh(t);
      }
      if (i % 4 != 3) continue;
      edges.push_back(-14 + kStep * (i + 1));
      cdf.push_back(sum);
    }
    EXPECT_NEAR(sum, 1, 1e-3);
    Rng rng(20261118, 8, Purpose::test);
    std::vector<double> draws(20'000);
    for (double& draw : draws) draw = std::log(law->draw_theta(prior, rng)[1]);
    EXPECT_GT(fits::edges_p_value(edges, cdf, draws), fits::kAlpha);
  }
}

// Measured from elsewhere and in other units the law is the same.
TEST(LearnedNormal, MovesWithTheUnits) {
  const auto [law, none] = learned_law("normal", {}, {100, 160});
  const auto& squares = dynamic_cast<const SquaresLaw&>(*law);
  const Hyper seen = law->update(none, {4, 480, 60'000});
  const Hyper units = squares.in_units(seen, 90, 0.5);
  const Hyper then = law->update(squares.in_units(none, 90, 0.5), {4, 240, 4 * 3600 + (60'000 - 57'600) * 4});
  const Theta theta{121, 400};
  const Theta other{62, 1600};
  EXPECT_NEAR(law->log_prior(seen, theta), law->log_prior(units, other) + 3 * std::log(2), 1e-10);
  EXPECT_NEAR(law->log_prior(units, other), law->log_prior(then, other), 1e-10);
}

TEST(PlanningLaw, PutsRecordsInsideTheRange) {
  for (const KnownLaw& k : known_laws()) {
    const NumberRange wide{1, 41, Rational(1, 4)};
    const KnownLaw& of = k;
    if (of.family->bounded) continue;
    std::vector<Rational> known = number_model(*of.family, wide).known;
    const EncodedNumber number = encoded_number(number_column(*of.family, wide), of.family->transform(known));
    const auto law = of.family->law(known);
    const Hyper prior = of.family->planning(known, statistic_range(number));
    Rng rng(20261118, 9, Purpose::test);
    int inside = 0;
    for (int i = 0; i < 2000; ++i) {
      const Theta theta = law->draw_theta(prior, rng);
      const double t = law->draw(theta, rng);
      inside += t < number.edges.back() ? 1 : 0;
    }
    EXPECT_GT(inside, 1800) << of.family->name;
    EXPECT_GT(number.levels(), 1U);
  }
}

Study normal_study(int version, const std::string& prior) {
  return parse_study("version = " + std::to_string(version) + R"(
name    = "lengths"
dataset = "lengths"
[privacy]
adjacency = "replace-one"
currency  = "pure"
[columns.mm]
real    = ["-10", "10"]
grid    = "0.1"
[model]
kind   = "family"
family = "normal"
column = "mm"
)" + prior,
                     "study.toml");
}

TEST(LearnedNumber, IsTheDefaultOfVersionTwo) {
  const Study study = normal_study(2, "");
  const Kind& kind = study.model.kind();
  EXPECT_TRUE(kind.learned_prior(study.model));
  EXPECT_EQ(kind.text(study.model, study.schema), "normal: mm, prior learned");
  EXPECT_EQ(kind.prior_records(study.model), 0);
  EXPECT_TRUE(normal_study(1, "prior = \"learned\"").model.kind().learned_prior(study.model));
  EXPECT_THROW((void)normal_study(1, ""), Error);  // version 1 has no prior for it
  const Study stated = normal_study(2, "prior = { normal-inverse-gamma = [0, 1, 3, 4] }");
  EXPECT_FALSE(kind.learned_prior(stated.model));
  EXPECT_FALSE(kind.learned_prior(kind.with_prior(study.model, {0, 1, 3, 4})));
  Rng rng(20261118, 10, Purpose::test);
  const auto records = kind.simulate(study, 400, std::nullopt, rng);
  EXPECT_LT(records->outside(), 100);
}

}  // namespace
}  // namespace postern::model
