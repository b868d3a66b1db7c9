// Bounds of Fourier tables, posterior draws and private choices.

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/assess/bounds/fourier_bound.hpp"
#include "postern/assess/bounds/lipschitz.hpp"
#include "postern/assess/bounds/map_bound.hpp"
#include "postern/assess/bounds/stochastic_lipschitz.hpp"
#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

namespace postern::assess {
namespace {

using Levels = std::vector<std::uint32_t>;
using model::Adjacency;
const Levels kNaiveBayes(17, 2);

TEST(FourierBound, OfNaiveBayes) {
  const FourierNoise noise{34, 68, 0};
  EXPECT_NEAR(fourier_printed_bound(34, 1, 1, 0, .05), 1774, .5);
  EXPECT_NEAR(fourier_tables_bound(noise, 2, .05), 887, .5);
  EXPECT_NEAR(fourier_table_bound(noise, 2, .05), 596, .5);
  EXPECT_DOUBLE_EQ(fourier_table_bound({34, 68, 10}, 2, .05), 10 + fourier_table_bound(noise, 2, .05));
  EXPECT_NEAR(fourier_printed_bound(34, 1, 1, 2, .05) - fourier_printed_bound(34, 1, 1, 0, .05),
              4. * 34 * 34 * 2, 1e-8);
}

// n = 20000 families' tables; more than delta + 5 sqrt(delta / n) violations of a right bound: once in 10^6
// times.
TEST(FourierBound, IsViolatedNoMoreOftenThanItSays) {
  constexpr double kDelta = .05;
  constexpr int kRuns = 20'000;
  const double bound = fourier_table_bound({34, 68, 0}, 2, kDelta);
  Rng rng(3, 0, Purpose::test);
  int violated = 0;
  for (int run = 0; run < kRuns; ++run) {
    double phi[4];
    for (double& x : phi) x = 68 * (draw_exponential(rng) - draw_exponential(rng));
    double error = 0;
    for (unsigned cell = 0; cell < 4; ++cell) {
      double sum = 0;
      for (unsigned gamma = 0; gamma < 4; ++gamma)
        sum += __builtin_parity(cell & gamma) != 0 ? -phi[gamma] : phi[gamma];
      error += std::abs(sum) / 4;
    }
    violated += error > bound ? 1 : 0;
  }
  EXPECT_LE(violated, kRuns * (kDelta + 5 * std::sqrt(kDelta / kRuns)));
}

TEST(FourierBound, RefusesWhatIsNoTable) {
  EXPECT_THROW((void)fourier_table_bound({0, 68, 0}, 2, .05), Error);
  EXPECT_THROW((void)fourier_table_bound({34, 0, 0}, 2, .05), Error);
  EXPECT_THROW((void)fourier_table_bound({34, 68, -1}, 2, .05), Error);
  EXPECT_THROW((void)fourier_table_bound({34, 68, 0}, 0, .05), Error);
  EXPECT_THROW((void)fourier_tables_bound({34, 68, 0}, 31, .05), Error);
  EXPECT_THROW((void)fourier_printed_bound(34, 1, 0, 0, .05), Error);
  EXPECT_THROW((void)fourier_printed_bound(34, 1, 1, 0, 0), Error);
}

TEST(Lipschitz, OfABox) {
  const auto two = network_lipschitz(family_lipschitz(Levels{2, 2}, .2));
  EXPECT_NEAR(two.sum, 2 * std::log(4), 1e-14);
  EXPECT_NEAR(draw_epsilon(two.sum, 1, Adjacency::replace_one), 5.545177, 5e-7);
  EXPECT_NEAR(draw_epsilon(two.sum, 1, Adjacency::add_remove), 5.545177 / 2, 5e-7);
  const auto mixed = network_lipschitz(family_lipschitz(Levels{2, 4}, .1));
  EXPECT_NEAR(mixed.sum, std::log(9) + std::log(7), 1e-14);
  EXPECT_NEAR(mixed.uniform, 2 * std::log(9), 1e-14);
  const double constant = network_lipschitz(family_lipschitz(kNaiveBayes, .2)).sum;
  EXPECT_NEAR(constant, 23.567, 5e-4);
  EXPECT_NEAR(draw_tempering(constant, 5, Adjacency::replace_one), .10608, 5e-6);
  EXPECT_NEAR(draw_tempering(constant, 50, Adjacency::replace_one), 1.061, 5e-4);
}

TEST(Lipschitz, OmegaForAnEpsilon) {
  const std::vector<std::pair<double, double>> known = {{.1, .499265}, {.5, .496324}, {1, .492648},
                                                        {2, .485298},  {5, .463301},  {10, .426996},
                                                        {20, .357040}, {50, .186853}};
  for (const auto& [epsilon, omega] : known) {
    EXPECT_NEAR(draw_omega(kNaiveBayes, epsilon, Adjacency::replace_one), omega, 5e-7);
    EXPECT_NEAR(draw_omega(kNaiveBayes, epsilon / 2, Adjacency::add_remove), omega, 5e-7);
  }
  const double omega = draw_omega(Levels{2, 3, 5}, 9, Adjacency::replace_one);
  const double constant = network_lipschitz(family_lipschitz(Levels{2, 3, 5}, omega)).sum;
  EXPECT_NEAR(draw_epsilon(constant, 1, Adjacency::replace_one), 9, 1e-9);
  // With the box of five levels a point, that of two is not: ln 4 of loss remain, and ln 2 of three levels.
  EXPECT_THROW((void)draw_omega(Levels{2, 5}, 1, Adjacency::replace_one), Error);
}

TEST(Lipschitz, RefusesWhatIsNoBox) {
  EXPECT_THROW((void)family_lipschitz(Levels{2, 4}, .25), Error);
  EXPECT_THROW((void)family_lipschitz(Levels{2}, 0), Error);
  EXPECT_THROW((void)family_lipschitz(Levels{2}, NAN), Error);
  EXPECT_THROW((void)family_lipschitz(Levels{1}, .1), Error);
  EXPECT_THROW((void)family_lipschitz(Levels{}, .1), Error);
  EXPECT_THROW((void)network_lipschitz({}), Error);
  EXPECT_THROW((void)draw_epsilon(0, 1, Adjacency::add_remove), Error);
  EXPECT_THROW((void)draw_tempering(1, -1, Adjacency::add_remove), Error);
  EXPECT_THROW((void)draw_omega(Levels{2}, 0, Adjacency::add_remove), Error);
}

TEST(StochasticLipschitz, ConstantOfTheTheorem) {
  const auto found = stochastic_guarantee({2, 1}, 2, 1, .5);
  EXPECT_NEAR(found.constant, 13.961490, 5e-6);  // from w and kappa as printed, five digits each
  EXPECT_NEAR(found.total_variation, 2.64, .005);
  EXPECT_EQ(found.verdict, Verdict::vacuous);
}

TEST(StochasticLipschitz, ConcentrationOfACoin) {
  EXPECT_NEAR(beta_concentration(1, 1).concentration, std::log((1 + std::exp(1)) / 2), 1e-14);
  EXPECT_NEAR(beta_concentration(1, 4).concentration, std::log((1 + std::exp(4)) / 2) / 4, 1e-14);
  EXPECT_NEAR(beta_concentration(2, 1).concentration, 1.0323545816, 1e-9);
  EXPECT_NEAR(beta_concentration(20, 1).concentration, 6.1833693654, 1e-9);
  // The ratio rises with L, so that its value at the first L is the least.
  for (const double a : {.3, 1., 2., 20.}) {
    double before = 0;
    for (double from = .25; from < 20; from *= 1.3) {
      const double here = beta_concentration(a, from).concentration;
      EXPECT_GT(here, before);
      EXPECT_LT(here, a);
      before = here;
    }
  }
}

TEST(StochasticLipschitz, SaysNothingOfTheExperiments) {
  // A uniform coin: two records are farther apart than (1 - delta) c.
  EXPECT_EQ(stochastic_guarantee(beta_concentration(1, 1), 2, 1, .1).verdict, Verdict::inapplicable);
  // Seventeen nodes.
  const std::vector<double> nodes(17, beta_concentration(20, 1).concentration);
  EXPECT_NEAR(network_concentration(nodes, 1).concentration, nodes[0] - std::log(17), 1e-12);
  EXPECT_EQ(stochastic_guarantee(network_concentration(nodes, 1), std::exp2(17), 1, .5).verdict,
            Verdict::vacuous);
  const std::vector<double> weak(17, beta_concentration(1, 1).concentration);
  EXPECT_LT(network_concentration(weak, 1).concentration, 0);
  EXPECT_EQ(stochastic_guarantee(network_concentration(weak, 1), 2, 1, .5).verdict, Verdict::inapplicable);
}

TEST(StochasticLipschitz, RatiosAndRefusals) {
  EXPECT_DOUBLE_EQ(likelihood_ratio(std::vector<double>{1, 1}), 2);
  EXPECT_DOUBLE_EQ(likelihood_ratio(std::vector<double>{.5, 2, 1}), 7);
  EXPECT_THROW((void)likelihood_ratio(std::vector<double>{1}), Error);
  EXPECT_THROW((void)likelihood_ratio(std::vector<double>{1, 0}), Error);
  EXPECT_THROW((void)beta_concentration(0, 1), Error);
  EXPECT_THROW((void)beta_concentration(1, 0), Error);
  EXPECT_THROW((void)network_concentration({}, 1), Error);
  EXPECT_THROW((void)stochastic_guarantee({2, 1}, .5, 1, .5), Error);
  EXPECT_THROW((void)stochastic_guarantee({2, 1}, 2, 0, .5), Error);
  EXPECT_THROW((void)stochastic_guarantee({2, 1}, 2, 1, 1), Error);
}

// A peak of height 27.6 in one of 40 points, flat elsewhere; sensitivity 5, t = 8: only the peak is within t
// of the best.
TEST(MapBound, PrintedLemma4IsNoBound) {
  constexpr double kPeak = 27.6;
  constexpr double kSensitivity = 5;
  constexpr double kPoints = 40;
  const double weight = std::exp(kPeak / (2 * kSensitivity));
  const double missed = (kPoints - 1) / (kPoints - 1 + weight);
  EXPECT_GT(missed, printed_shortfall_bound(1, 8, 1 / kPoints));
  EXPECT_LE(missed, choice_shortfall_bound({1, kSensitivity}, 8, 1 / kPoints));
  EXPECT_NEAR(choice_shortfall_bound({1, .5}, 8, .5), printed_shortfall_bound(1, 8, .5), 1e-15);
}

TEST(MapBound, OfConcaveUtilities) {
  const double constant = network_lipschitz(family_lipschitz(kNaiveBayes, .2)).sum;
  const ConcaveChoice choice{draw_tempering(constant, 10, Adjacency::replace_one), 33};
  EXPECT_NEAR(concave_gap_mean(choice), 155.5, .05);
  const double quantile = concave_gap_quantile(choice, .05);
  EXPECT_NEAR(gamma_tail(33, quantile * choice.tempering), .05, 1e-10);
  EXPECT_NEAR(concave_gap_quantile({2, 1}, .3), -std::log(.3) / 2, 1e-12);
  EXPECT_NEAR(gamma_tail(1000, concave_gap_quantile({1, 1000}, .99)), .99, 1e-9);
}

TEST(MapBound, RefusesWhatIsNoChoice) {
  EXPECT_THROW((void)choice_shortfall_bound({0, 1}, 1, .5), Error);
  EXPECT_THROW((void)choice_shortfall_bound({1, 0}, 1, .5), Error);
  EXPECT_THROW((void)choice_shortfall_bound({1, 1}, -1, .5), Error);
  EXPECT_THROW((void)choice_shortfall_bound({1, 1}, 1, 0), Error);
  EXPECT_THROW((void)printed_shortfall_bound(1, 1, 2), Error);
  EXPECT_THROW((void)concave_gap_mean({0, 1}), Error);
  EXPECT_THROW((void)concave_gap_mean({1, 0}), Error);
  EXPECT_THROW((void)concave_gap_quantile({1, 1}, 0), Error);
}

}  // namespace
}  // namespace postern::assess
