#include "postern/release/choice.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/statistic/rank_scores.hpp"
#include "postern/model/statistic/table.hpp"

namespace postern::release {
namespace {

using Counts = std::vector<std::int64_t>;
constexpr std::size_t kLevels = 4;

model::Schema schema() {
  const model::Column x{"x", model::IntegerRange{0, kLevels - 1, {}}};
  const model::Column y{"y", model::IntegerRange{0, 1, {}}};
  return model::Schema({x, y});
}

MeasuredBlock quantile(const Rational& at, const Rational& scale, Int128 chosen) {
  return {{model::RankScores{"x", at}, {model::NoiseKind::exponential, scale}, 1}, {chosen}};
}

/// How far level l is from the wanted rank at n, in records times the denominator, counted one by one.
double misses(const Counts& counts, std::size_t l, double at, double denominator) {
  double n = 0;
  double below = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    n += static_cast<double>(counts[k]);
    if (k < l) below += static_cast<double>(counts[k]);
  }
  const double upto = below + static_cast<double>(counts[l]);
  return denominator * std::max({0.0, below - at * n, at * n - upto});
}

template <class Visit>
void for_each_counts(const Visit& visit) {
  for (int code = 0; code < 256; ++code) visit(Counts{code % 4, code / 4 % 4, code / 16 % 4, code / 64});
}

TEST(ChoiceLikelihood, OfAQuantileIsTheMechanismsLawAtEveryLatentTable) {
  const std::vector<std::string> held{"x"};
  for (const double at : {0.5, 0.25}) {
    const Rational rank(at);
    for_each_counts([&](const Counts& counts) {
      double whole = 0;
      std::vector<double> weight;
      for (std::size_t l = 0; l < kLevels; ++l) {
        weight.push_back(std::exp(-0.2 * misses(counts, l, at, rank.get_den().get_d())));
        whole += weight.back();
      }
      double sum = 0;
      for (std::size_t l = 0; l < kLevels; ++l) {
        const auto likelihood =
            ChoiceLikelihood::make(quantile(rank, Rational(1, 5), static_cast<Int128>(l)), schema(), held);
        ASSERT_TRUE(likelihood);
        EXPECT_NEAR(likelihood->log_likelihood(counts), std::log(weight[l] / whole), 1e-12);
        sum += std::exp(likelihood->log_likelihood(counts));
      }
      EXPECT_NEAR(sum, 1, 1e-12);
    });
  }
}

/// The posterior of a table of 3 records given the median that was chosen, by Bayes' rule over all tables.
TEST(ChoiceLikelihood, GivesThePosteriorThatEnumerationGives) {
  const std::vector<std::string> held{"x"};
  const auto likelihood = ChoiceLikelihood::make(quantile(Rational(1, 2), Rational(1), 2), schema(), held);
  double first = 0;
  double all = 0;
  double by_hand_first = 0;
  double by_hand = 0;
  for_each_counts([&](const Counts& counts) {
    if (counts[0] + counts[1] + counts[2] + counts[3] != 3) return;
    const double weight = std::exp(likelihood->log_likelihood(counts));
    all += weight;
    first += weight * static_cast<double>(counts[2]);
    double whole = 0;
    for (std::size_t l = 0; l < kLevels; ++l) whole += std::exp(-misses(counts, l, 0.5, 2));
    const double direct = std::exp(-misses(counts, 2, 0.5, 2)) / whole;
    by_hand += direct;
    by_hand_first += direct * static_cast<double>(counts[2]);
  });
  EXPECT_NEAR(first / all, by_hand_first / by_hand, 1e-12);
  EXPECT_GT(first / all, 0.75);  // without the choice it is 3/4
}

TEST(ChoiceLikelihood, IsOfTheMarginOfALargerTable) {
  const std::vector<std::string> own{"x"};
  const std::vector<std::string> larger{"y", "x"};
  const MeasuredBlock block = quantile(Rational(1, 4), Rational(1, 3), 1);
  const auto of_margin = ChoiceLikelihood::make(block, schema(), own);
  const auto of_table = ChoiceLikelihood::make(block, schema(), larger);
  EXPECT_EQ(of_table->log_likelihood(Counts{1, 0, 2, 5, 3, 1, 0, 2}),
            of_margin->log_likelihood(Counts{4, 1, 2, 7}));
  EXPECT_THROW((void)of_table->log_likelihood(Counts{1, 2, 3, 4}), Error);
}

TEST(ChoiceLikelihood, OfHugeScoresIsFinite) {
  const std::vector<std::string> held{"x"};
  const auto likelihood = ChoiceLikelihood::make(quantile(Rational(1, 2), Rational(1), 0), schema(), held);
  const double far = likelihood->log_likelihood(Counts{0, 0, 0, 1'000'000'000'000});
  EXPECT_NEAR(far, -1e12, 1);  // b = 2, half of the records on the wrong side
}

TEST(ChoiceLikelihood, IsNoneOfATableThatIsNotHeldNorOfABlockThatIsNoChoice) {
  const std::vector<std::string> other{"y"};
  EXPECT_FALSE(ChoiceLikelihood::make(quantile(Rational(1, 2), 1, 0), schema(), other));
  const MeasuredBlock table{{model::Table{{"x"}}, {model::NoiseKind::discrete_laplace, 1}, 4}, {0, 0, 0, 0}};
  EXPECT_THROW((void)ChoiceLikelihood::make(table, schema(), other), Error);
}

TEST(SimulatedChoice, FollowsItsLaw) {
  const std::vector<Int128> scores{-3, 0, -1, -20};
  const double scale = 0.7;
  constexpr int kDraws = 40'000;
  std::vector<double> seen(scores.size(), 0);
  Rng rng(5, 0, Purpose::test);
  for (int i = 0; i < kDraws; ++i) seen[simulate_choice(scores, scale, rng)] += 1;
  const std::vector<double> logs = choice_log_probabilities(scores, scale);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double p = std::exp(logs[i]);
    EXPECT_NEAR(seen[i], kDraws * p, 4.9 * std::sqrt(kDraws * p * (1 - p)) + 1e-9);
  }
}

}  // namespace
}  // namespace postern::release
