#include "postern/model/statistic/score_table.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/core/rng.hpp"
#include "postern/core/special.hpp"
#include "postern/model/measurement.hpp"

#include "choice_studies.hpp"

namespace postern::model {
namespace {

using Counts = std::vector<std::int64_t>;

std::vector<double> log_probabilities(const ScoreTable& table, const Counts& counts, double scale) {
  std::vector<double> out;
  for (std::size_t z = 0; z < table.candidates.size(); ++z) {
    double sum = 0;
    for (std::size_t x = 0; x < counts.size(); ++x)
      sum += static_cast<double>(counts[x]) * static_cast<double>(table.scores[z * counts.size() + x]);
    out.push_back(scale * sum);
  }
  const double whole = log_sum_exp(out);
  for (double& log : out) log -= whole;
  return out;
}

double loss(const ScoreTable& table, const Counts& here, const Counts& there, double scale) {
  const auto p = log_probabilities(table, here, scale);
  const auto q = log_probabilities(table, there, scale);
  double worst = 0;
  for (std::size_t z = 0; z < p.size(); ++z) worst = std::max(worst, std::abs(p[z] - q[z]));
  return worst;
}

/// The largest loss over all neighbours with at most `most` records.
double worst_loss(const ScoreTable& table, std::size_t levels, std::int64_t most, double scale,
                  Adjacency adjacency) {
  double worst = 0;
  Counts counts(levels, 0);
  const std::function<void(std::size_t, std::int64_t)> fill = [&](std::size_t level, std::int64_t left) {
    if (level + 1 < levels) {
      for (counts[level] = 0; counts[level] <= left; ++counts[level]) fill(level + 1, left - counts[level]);
      counts[level] = 0;
      return;
    }
    counts[level] = left;
    for (std::size_t from = 0; from < levels; ++from) {
      if (counts[from] == 0) continue;
      Counts other = counts;
      --other[from];
      if (adjacency == Adjacency::add_remove) worst = std::max(worst, loss(table, counts, other, scale));
      for (std::size_t to = 0; adjacency == Adjacency::replace_one && to < levels; ++to) {
        Counts moved = other;
        ++moved[to];
        worst = std::max(worst, loss(table, counts, moved, scale));
      }
    }
  };
  for (std::int64_t n = 1; n <= most; ++n) fill(0, n);
  return worst;
}

/// The range by its definition, over all candidates, levels and changes.
std::int64_t range_by_definition(const ScoreTable& table, std::size_t levels, Adjacency adjacency) {
  std::int64_t worst = 0;
  const auto at = [&](std::size_t z, std::size_t x) { return table.scores[z * levels + x]; };
  for (std::size_t a = 0; a < table.candidates.size(); ++a) {
    for (std::size_t b = 0; b < table.candidates.size(); ++b) {
      for (std::size_t x = 0; x < levels; ++x) {
        if (adjacency == Adjacency::add_remove) worst = std::max(worst, at(a, x) - at(b, x));
        for (std::size_t y = 0; adjacency == Adjacency::replace_one && y < levels; ++y)
          worst = std::max(worst, at(a, x) - at(a, y) - at(b, x) + at(b, y));
      }
    }
  }
  return worst;
}

ErrorCode refusal(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::internal;
}

TEST(ScoreTable, RangeIsThatOfItsDefinition) {
  Rng rng(20261118, 83, Purpose::test);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t levels = 2 + draw_below(4, rng);
    ScoreTable table{{"x"}, {"a", "b", "c"}, {}};
    for (std::size_t i = 0; i < 3 * levels; ++i)
      table.scores.push_back(static_cast<std::int64_t>(draw_below(21, rng)) - 10);
    for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::replace_one})
      EXPECT_EQ(score_table_range(table, adjacency), range_by_definition(table, levels, adjacency));
  }
}

TEST(ScoreTable, NoNeighboursShowMoreThanTheClaim) {
  for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::replace_one}) {
    for (const Study& study :
         {scored_study({.adjacency = adjacency}), coin_study({.adjacency = adjacency})}) {
      const NoisePlan plan = choice_plan(study, "1");
      const Block& block = plan.measurement.blocks.front();
      const auto& table = block.statistic.get<ScoreTable>();
      const double claim = adjacency == Adjacency::add_remove ? 0.9 : 1;  // a tenth counts the records
      const double found = worst_loss(table, study.schema.columns().front().levels(), 12,
                                      block.noise.parameter.get_d(), adjacency);
      EXPECT_LE(found, claim * (1 + 1e-12));
      EXPECT_GT(found, 0.7 * claim);
    }
  }
}

/// Brute force over all neighbours of fewer than 40 records (or of 40, where one goes), epsilon 0.3 before
/// the range (oracle coin_privacy_bruteforce_centred_clamp).
TEST(ScoreTable, CoinComesAsNearItsClaimAsTheOracleSays) {
  const ScoreTable table = score_table(coin_choice(), coin_study().schema);
  const double scale = 0.3 / (1 << kScoreBits);
  EXPECT_NEAR(worst_loss(table, 2, 40, scale, Adjacency::add_remove) / 0.3, 1.9748683675891125, 1e-5);
  EXPECT_NEAR(worst_loss(table, 2, 39, scale, Adjacency::replace_one) / 0.3, 3.6060412527943817, 1e-5);
  EXPECT_EQ(score_table_range(table, Adjacency::add_remove), 2 << kScoreBits);
  EXPECT_EQ(score_table_range(table, Adjacency::replace_one), 4 << kScoreBits);
}

TEST(ScoreTable, LikelihoodsAreCentredAndClamped) {
  const Study study = coin_study();
  const ScoreTable table = score_table(coin_choice(), study.schema);
  const double centre = (std::log(0.1) + std::log(0.9)) / 2;
  for (std::size_t z = 0; z < 9; ++z) {
    const double p = 0.1 * static_cast<double>(z + 1);
    const double wanted = std::clamp(std::log(p) - centre, -1.0, 1.0) * (1 << kScoreBits);
    EXPECT_NEAR(static_cast<double>(table.scores[2 * z + 1]), wanted, 0.5 + 1e-6);
    EXPECT_EQ(table.scores[2 * z + 1], table.scores[2 * (8 - z)]);
  }
}

TEST(ScoreTable, APowerScalesBeforeTheClamp) {
  Choice model = coin_choice();
  model.power = Rational(1, 4);
  const ScoreTable table = score_table(model, coin_study().schema);
  const double centre = (std::log(0.1) + std::log(0.9)) / 2;
  EXPECT_NEAR(static_cast<double>(table.scores[1]), (std::log(0.1) - centre) / 4 * (1 << kScoreBits), 0.51);
  model.power = 3;
  EXPECT_EQ(score_table(model, coin_study().schema).scores[1], -(1 << kScoreBits));
}

TEST(ScoreTable, NumbersAreScoredByTheirDistance) {
  const Study study = mean_study();
  const ScoreTable table = score_table(study.model.get<Choice>(), study.schema);
  // At x = 4 the candidates 0, 2, ... 10 are 4, 2, 0, 2, 4 and 6 away: log densities 0 to -36/8, centre
  // -18/8.
  for (std::size_t z = 0; z < 6; ++z) {
    const double off = 4.0 - 2.0 * static_cast<double>(z);
    const double wanted = std::clamp((-off * off / 8 + 18.0 / 8) / 5, -1.0, 1.0) * (1 << kScoreBits);
    EXPECT_NEAR(static_cast<double>(table.scores[z * 11 + 4]), wanted, 0.51);
  }
}

TEST(ScoreTable, PlansSpendTheBudget) {
  for (const Currency currency : {Currency::pure, Currency::zcdp}) {
    for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::replace_one}) {
      const Study study = coin_study({.adjacency = adjacency, .currency = currency, .draws = 3});
      const NoisePlan plan = choice_plan(study, "0.7");
      const Rational spent = cost(plan.measurement, study.schema, study.privacy);
      EXPECT_LE(spent, Rational(7, 10));
      EXPECT_GT(spent, Rational(7, 10) - Rational(1, 1'000'000'000));
      EXPECT_EQ(plan.measurement.blocks.size(), adjacency == Adjacency::add_remove ? 4U : 3U);
    }
  }
}

TEST(ScoreTable, RefusesWhatTellsNothingAndWhatIsNoParameter) {
  Choice flat = scored_study().model.get<Choice>();
  flat.scores = {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4};
  EXPECT_EQ(refusal([&] { choice_study(categories(3), flat); }), ErrorCode::bad_value);
  Choice outside = coin_choice();
  outside.points.push_back({Rational(1)});
  EXPECT_EQ(refusal([&] { choice_study(categories(2), outside); }), ErrorCode::bad_value);
  Choice twice = coin_choice();
  twice.points.push_back(twice.points.front());
  EXPECT_EQ(refusal([&] { choice_study(categories(2), twice); }), ErrorCode::bad_value);
  Choice alone = coin_choice();
  alone.points.resize(1);
  EXPECT_EQ(refusal([&] { choice_study(categories(2), alone); }), ErrorCode::bad_value);
  Choice short_of = coin_choice();
  short_of.records = Categorical{{"x"}, {1, 1}};
  EXPECT_EQ(refusal([&] { choice_study(categories(2), short_of); }), ErrorCode::bad_value);
}

}  // namespace
}  // namespace postern::model
