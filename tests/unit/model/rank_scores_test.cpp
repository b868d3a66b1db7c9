#include "postern/model/statistic/rank_scores.hpp"

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/kinds/quantiles.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/statistic/table.hpp"

namespace postern::model {
namespace {

using Counts = std::vector<std::int64_t>;

Study study_of(const Rational& at, Adjacency adjacency, Currency currency, std::uint32_t levels) {
  Column column;
  column.name = "x";
  column.values = IntegerRange{0, std::int64_t{levels} - 1, {}};
  Study study;
  study.name = study.dataset = "s";
  study.privacy.adjacency = adjacency;
  study.privacy.currency = currency;
  if (adjacency == Adjacency::add_remove) study.privacy.n_at_most = 10;
  study.schema = Schema({column});
  study.model = Quantiles{"x", {at}};
  return study;
}

/// All ways to put n records on so many levels.
void for_each_counts(std::size_t levels, std::int64_t n, const std::function<void(const Counts&)>& visit) {
  Counts counts(levels, 0);
  const std::function<void(std::size_t, std::int64_t)> fill = [&](std::size_t level, std::int64_t left) {
    if (level + 1 == levels) {
      counts[level] = left;
      visit(counts);
      return;
    }
    for (std::int64_t here = 0; here <= left; ++here) {
      counts[level] = here;
      fill(level + 1, left - here);
    }
  };
  fill(0, n);
}

std::int64_t spread_of_change(const RankScores& scores, const Counts& before, const Counts& after) {
  const auto u = rank_scores(scores, before);
  const auto v = rank_scores(scores, after);
  std::int64_t least = v[0] - u[0];
  std::int64_t most = least;
  for (std::size_t l = 0; l < u.size(); ++l) {
    least = std::min(least, v[l] - u[l]);
    most = std::max(most, v[l] - u[l]);
  }
  return most - least;
}

std::int64_t brute_force_range(const RankScores& scores, Adjacency adjacency) {
  constexpr std::size_t kLevels = 4;
  std::int64_t worst = 0;
  for (std::int64_t n = 1; n <= 12; ++n) {
    for_each_counts(kLevels, n, [&](const Counts& counts) {
      for (std::size_t from = 0; from < kLevels; ++from) {
        if (counts[from] == 0) continue;
        Counts without = counts;
        --without[from];
        if (adjacency == Adjacency::add_remove) {
          worst = std::max(worst, spread_of_change(scores, counts, without));
          continue;
        }
        for (std::size_t to = 0; to < kLevels; ++to) {
          Counts moved = without;
          ++moved[to];
          worst = std::max(worst, spread_of_change(scores, counts, moved));
        }
      }
    });
  }
  return worst;
}

TEST(RankScores, AreTheDistanceFromTheWantedRank) {
  // 10 records: 2, 3, 0, 5. The median may be anything from the 5th to the 6th record: levels 1 to 3.
  EXPECT_EQ(rank_scores({"x", Rational(1, 2)}, Counts{2, 3, 0, 5}), (Counts{-6, 0, 0, 0}));
  EXPECT_EQ(rank_scores({"x", Rational(9, 10)}, Counts{2, 3, 0, 5}), (Counts{-70, -40, -40, 0}));
  EXPECT_EQ(rank_scores({"x", Rational(1, 10)}, Counts{2, 3, 0, 5}), (Counts{0, -10, -40, -40}));
  EXPECT_EQ(rank_scores({"x", Rational(1, 2)}, Counts{0, 0}), (Counts{0, 0}));
}

TEST(RankScores, CostWhatBruteForceOverAllSmallDatasetsFinds) {
  for (const Rational& at :
       {Rational(1, 2), Rational(1, 3), Rational(3, 4), Rational(1, 5), Rational(4, 5)}) {
    for (const Adjacency adjacency : {Adjacency::replace_one, Adjacency::add_remove}) {
      const Study study = study_of(at, adjacency, Currency::pure, 4);
      const RankScores scores{"x", at};
      const Measurement measurement{{{scores, {NoiseKind::exponential, Rational(1, 7)}, 1}}};
      const Rational claimed = cost(measurement, study.schema, study.privacy);
      EXPECT_EQ(claimed, Rational(brute_force_range(scores, adjacency)) / 7) << at << to_text(adjacency);
    }
  }
}

TEST(RankScores, PlanSpendsTheBudgetAndNoMore) {
  for (const Currency currency : {Currency::pure, Currency::zcdp}) {
    Study study = study_of(Rational(1, 20), Adjacency::replace_one, currency, 50);
    study.model = Quantiles{"x", {Rational(1, 20), Rational(1, 2), Rational(19, 20)}};
    const Spend budget = Spend::parse(currency, "0.3");
    const NoisePlan plan = make_noise_plan(study, default_mechanism(study), budget);
    EXPECT_EQ(plan.request.mechanism, Mechanism::exponential);
    EXPECT_EQ(plan.cost, budget);
    const Rational spent = cost(plan.measurement, study.schema, study.privacy);
    EXPECT_LE(spent, budget.exact());
    EXPECT_GT(spent, budget.exact() - Rational(1, 1'000'000'000));
    EXPECT_EQ(plan.measurement.blocks.size(), 3u);
  }
}

TEST(RankScores, APersonOfSeveralRecordsCostsSoManyTimes) {
  Study study = study_of(Rational(1, 2), Adjacency::add_remove, Currency::pure, 4);
  const Measurement measurement{{{RankScores{"x", Rational(1, 2)}, {NoiseKind::exponential, 1}, 1}}};
  const Rational one = cost(measurement, study.schema, study.privacy);
  study.privacy.unit = PersonUnit{"person", 3};
  EXPECT_EQ(cost(measurement, study.schema, study.privacy), 3 * one);
  study.privacy.currency = Currency::zcdp;
  EXPECT_EQ(cost(measurement, study.schema, study.privacy), 9 * one * one / 8);
}

TEST(RankScores, AreNeverNoisedByAddition) {
  const Study study = study_of(Rational(1, 2), Adjacency::replace_one, Currency::pure, 4);
  const Measurement added{{{RankScores{"x", Rational(1, 2)}, {NoiseKind::discrete_laplace, 1}, 1}}};
  EXPECT_THROW((void)cost(added, study.schema, study.privacy), Error);
  const Measurement chosen{{{RecordCount{}, {NoiseKind::exponential, 1}, 1}}};
  EXPECT_THROW((void)cost(chosen, study.schema, study.privacy), Error);
}

TEST(RankScores, RefuseQuantilesThatAreNone) {
  Study study = study_of(Rational(1, 2), Adjacency::replace_one, Currency::pure, 4);
  for (const std::vector<Rational>& at :
       {std::vector<Rational>{}, std::vector<Rational>{Rational(0)}, std::vector<Rational>{Rational(1)},
        std::vector<Rational>{Rational(1, 2), Rational(1, 2)},
        std::vector<Rational>{Rational(1, 3'000'000)}}) {
    study.model = Quantiles{"x", at};
    EXPECT_THROW(check_study(study), Error);
  }
}

}  // namespace
}  // namespace postern::model
