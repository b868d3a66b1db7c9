#include "postern/model/statistic/grid_split.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/plan.hpp"

#include "network_studies.hpp"

namespace postern::model {
namespace {

using Record = std::vector<std::uint32_t>;

TEST(GridLogs, AreTheFloorsOfLogarithms) {
  for (const Rational& x : {Rational(1, 1024), Rational(1, 20), Rational(2, 3), Rational(999, 1000),
                            Rational(4, 3), Rational(977)}) {
    for (const unsigned bits : {0U, 20U, 40U})
      EXPECT_EQ(floor_log(x, bits).get_d(),
                std::floor(std::ldexp(std::log(x.get_d()), static_cast<int>(bits))))
          << x;
  }
  EXPECT_EQ(floor_log(1), 0);
  // ln 2 = 0.6931471805599453094172321214581765680755001343602552... in units of 2^-160, by another hand.
  EXPECT_EQ(floor_log(2, 160).get_str(16), "b17217f7d1cf79abc9e3b39803f2f6af40f34326");
}

TEST(GridLogs, RiseAndAreTheSameFromBothEnds) {
  const Rational omega(1, 20);
  const auto table = grid_logs(omega, 101);
  ASSERT_EQ(table->logs.size(), 101U);
  EXPECT_TRUE(std::is_sorted(table->logs.begin(), table->logs.end()));
  EXPECT_EQ(table->logs.back() - table->logs.front(), grid_oscillation(omega));
  for (std::size_t g = 0; g < 101; ++g)
    EXPECT_EQ(grid_point(omega, 101, g) + grid_point(omega, 101, 100 - g), 1);
}

/// The scores of all points after one record, or none, by the statistic's own definition.
std::vector<Int128> scores(const Record* record, const Block& block, const Schema& schema) {
  const StatisticKind& kind = block.statistic.kind();
  const auto tally = kind.tally(block.statistic, schema);
  Record levels;
  if (record != nullptr) {
    for (const std::string& name : kind.columns(block.statistic))
      levels.push_back((*record)[*schema.find(name)]);
    tally->add(levels, 1);
  }
  return tally->values();
}

/// What two records (or one and none) may cost: the range of the difference of all scores, split by split.
Rational loss(const Record* a, const Record* b, const Study& study, const Measurement& measured) {
  Rational total = 0;
  for (const Block& block : measured.blocks) {
    const auto here = scores(a, block, study.schema);
    const auto there = scores(b, block, study.schema);
    std::vector<Int128> change;
    for (std::size_t g = 0; g < here.size(); ++g) change.push_back(here[g] - there[g]);
    const auto [least, most] = std::minmax_element(change.begin(), change.end());
    const Rational epsilon = block.noise.parameter * Rational(static_cast<long>(*most - *least));
    total += study.privacy.currency == Currency::pure ? epsilon : Rational(epsilon * epsilon / 8);
  }
  return total;
}

Rational worst_loss(const Study& study, const Measurement& measured) {
  const graph::Domain domain = study.schema.domain(columns_of(study.model));
  Rational worst = 0;
  for (std::size_t x = 0; x < domain.cells(); ++x) {
    const Record a = domain.levels_of(x);
    if (study.privacy.adjacency == Adjacency::add_remove)
      worst = std::max(worst, loss(&a, nullptr, study, measured));
    for (std::size_t y = 0; study.privacy.adjacency == Adjacency::replace_one && y < x; ++y) {
      const Record b = domain.levels_of(y);
      worst = std::max(worst, loss(&a, &b, study, measured));
    }
  }
  return worst;
}

/// The measurement of a plan on a grid of few points, so that all of it can be looked at.
Measurement coarse(Measurement measured, std::uint32_t points) {
  for (Block& block : measured.blocks) {
    GridSplit split = block.statistic.get<GridSplit>();
    split.points = points;
    block.statistic = split;
  }
  return measured;
}

NoisePlan plan_of(const Study& study, Mechanism mechanism, const char* amount = "1") {
  return make_noise_plan(study, mechanism, Spend::parse(study.privacy.currency, amount));
}

TEST(GridCost, EqualsBruteForceOnRandomNetworks) {
  Rng rng(20261118, 1, Purpose::test);
  for (int trial = 0; trial < 24; ++trial) {
    const auto adjacency = trial % 2 == 0 ? Adjacency::replace_one : Adjacency::add_remove;
    const auto currency = trial % 4 < 2 ? Currency::pure : Currency::zcdp;
    const Study study = random_network_study(3, 5, adjacency, currency, rng);
    const Measurement measured = coarse(plan_of(study, Mechanism::map).measurement, 5);
    const Rational worst = worst_loss(study, measured);
    const Rational claimed = cost(measured, study.schema, study.privacy);
    if (currency == Currency::zcdp && adjacency == Adjacency::replace_one) {
      EXPECT_LE(worst, claimed) << trial;  // families apart: a bound
    } else {
      EXPECT_EQ(worst, claimed) << trial;
    }
  }
}

// Any splits, weights and grids: what a document may hold, whoever made it.
TEST(GridCost, IsNeverBelowBruteForceOnUnequalSplits) {
  Rng rng(20261118, 2, Purpose::test);
  for (int trial = 0; trial < 24; ++trial) {
    const auto adjacency = trial % 2 == 0 ? Adjacency::replace_one : Adjacency::add_remove;
    const auto currency = trial % 4 < 2 ? Currency::pure : Currency::zcdp;
    const Study study = random_network_study(3, 4, adjacency, currency, rng);
    Measurement measured = coarse(plan_of(study, Mechanism::map).measurement, 4);
    for (Block& block : measured.blocks) {
      GridSplit split = block.statistic.get<GridSplit>();
      split.omega = Rational(static_cast<long>(1 + rng() % 9), 20);
      split.omega.canonicalize();
      block.statistic = split;
      block.noise.parameter *= Rational(static_cast<long>(1 + rng() % 5));
    }
    EXPECT_LE(worst_loss(study, measured), cost(measured, study.schema, study.privacy)) << trial;
  }
}

// R = c (sum of depths), or c (twice the depths of columns with parents, the width of the tree of others).
TEST(GridCost, IsTheClosedFormOfBalancedTrees) {
  const std::vector<std::vector<std::size_t>> parents{{}, {0}, {0, 1}};
  const Rational c = grid_oscillation(Rational(1, 20));
  for (const Adjacency adjacency : {Adjacency::replace_one, Adjacency::add_remove}) {
    const Study study = network_study({3, 4, 5}, parents, adjacency);  // depths 2, 2, 3; width of 3 levels: 3
    const NoisePlan plan = plan_of(study, Mechanism::map);
    const Rational range = adjacency == Adjacency::replace_one ? Rational(c * (3 + 4 + 6)) : Rational(c * 7);
    for (const Block& block : plan.measurement.blocks) EXPECT_EQ(block.noise.parameter, 1 / range);
    EXPECT_EQ(plan.cost.text(), "1");
  }
}

/// log P of every point of every split, under the claimed law.
std::vector<std::vector<double>> laws(const std::vector<Record>& records, const Study& study,
                                      const Measurement& measured) {
  std::vector<std::vector<double>> out;
  for (const Block& block : measured.blocks) {
    const auto tally = block.statistic.kind().tally(block.statistic, study.schema);
    for (const Record& record : records) {
      Record levels;
      for (const std::string& name : block.statistic.kind().columns(block.statistic))
        levels.push_back(record[*study.schema.find(name)]);
      tally->add(levels, 1);
    }
    const auto values = tally->values();
    const Int128 best = *std::max_element(values.begin(), values.end());
    std::vector<double>& law = out.emplace_back();
    double sum = 0;
    for (const Int128 value : values) {
      law.push_back(block.noise.parameter.get_d() * static_cast<double>(value - best));
      sum += std::exp(law.back());
    }
    for (double& one : law) one -= std::log(sum);
  }
  return out;
}

/// Least and largest log ratio of the probabilities of an outcome. Splits are drawn apart, so both add up.
std::pair<double, double> log_ratios(const std::vector<std::vector<double>>& a,
                                     const std::vector<std::vector<double>>& b) {
  std::pair<double, double> out{0, 0};
  for (std::size_t v = 0; v < a.size(); ++v) {
    double least = HUGE_VAL;
    double most = -HUGE_VAL;
    for (std::size_t g = 0; g < a[v].size(); ++g) {
      least = std::min(least, a[v][g] - b[v][g]);
      most = std::max(most, a[v][g] - b[v][g]);
    }
    out.first += least;
    out.second += most;
  }
  return out;
}

// A record that moves between rows, beside n others: the loss tends to epsilon, and its range is epsilon.
TEST(GridLoss, StaysBelowEpsilonAndComesNearIt) {
  const Study study = network_study({2, 3}, {{}, {0}});
  for (const Mechanism mechanism : {Mechanism::posterior_draw, Mechanism::map}) {
    const Measurement measured = coarse(plan_of(study, mechanism, "2").measurement, 11);
    double largest = 0;
    for (const std::size_t n : {0U, 10U, 2000U}) {
      for (const Record& others : {Record{0, 0}, Record{1, 1}, Record{0, 2}}) {
        std::vector<Record> here(n, others);
        std::vector<Record> there = here;
        here.push_back({0, 0});
        there.push_back({1, 1});
        const auto [least, most] = log_ratios(laws(here, study, measured), laws(there, study, measured));
        EXPECT_LE(std::max(most, -least), 2 + 1e-9);
        EXPECT_NEAR(most - least, 2, 1e-9);
        largest = std::max({largest, most, -least});
      }
    }
    EXPECT_GT(largest, 0.8);
  }
}

TEST(GridPlan, OfADrawIsTheUntemperedPosteriorWhereTheBudgetAllows) {
  const Study study = naive_study(16, 2);
  for (const auto& [amount, wanted] : {std::pair("0.5", .496324), std::pair("1", .492648),
                                       std::pair("5", .463301), std::pair("50", .186853)}) {
    const NoisePlan plan = plan_of(study, Mechanism::posterior_draw, amount);
    const Block& block = plan.measurement.blocks.front();
    EXPECT_NEAR(block.statistic.get<GridSplit>().omega.get_d(), wanted, 2e-6);
    const double tempering = std::ldexp(block.noise.parameter.get_d(), 20);
    EXPECT_LE(tempering, 1);
    EXPECT_GT(tempering, .999);
    EXPECT_EQ(plan.cost.text(), amount);
  }
}

TEST(GridPlan, IsTheSameWhenMadeAgainFromItsCost) {
  for (const Currency currency : {Currency::pure, Currency::zcdp}) {
    const Study study = network_study({2, 3}, {{}, {0}}, Adjacency::replace_one, currency);
    for (const Mechanism mechanism : {Mechanism::posterior_draw, Mechanism::map}) {
      for (const char* amount : {"0.000000001", "0.001", "0.7", "3", "100"}) {
        const NoisePlan plan = plan_of(study, mechanism, amount);
        const NoisePlan again = make_noise_plan(study, mechanism, plan.cost);
        EXPECT_EQ(again.cost, plan.cost);
        for (std::size_t b = 0; b < plan.measurement.blocks.size(); ++b) {
          const Block& one = plan.measurement.blocks[b];
          const Block& other = again.measurement.blocks[b];
          EXPECT_EQ(one.noise.parameter, other.noise.parameter);
          EXPECT_EQ(to_canonical(one.statistic.kind().write(one.statistic)),
                    to_canonical(other.statistic.kind().write(other.statistic)));
        }
      }
    }
  }
}

TEST(GridPlan, OfADrawSpendsNoMoreThanThePosteriorCosts) {
  const Study study = network_study({2}, {{}});
  const NoisePlan plan = plan_of(study, Mechanism::posterior_draw, "100");
  EXPECT_LT(plan.cost.exact(), 14);  // 2 ln 1023
  EXPECT_EQ(plan.measurement.blocks.front().noise.parameter, Rational(1, 1 << 20));
  EXPECT_EQ(plan_of(study, Mechanism::map, "100").cost.text(), "100");
}

TEST(GridPlan, OfSeveralDrawsSharesTheBudgetEvenly) {
  for (const Currency currency : {Currency::pure, Currency::zcdp}) {
    for (const Adjacency adjacency : {Adjacency::replace_one, Adjacency::add_remove}) {
      const Study study = network_study({2, 3}, {{}, {0}}, adjacency, currency);
      for (const Mechanism mechanism : {Mechanism::posterior_draw, Mechanism::map}) {
        const NoisePlan one = make_noise_plan(study, mechanism, Spend::parse(currency, "0.5"));
        const Request request{mechanism, {{"draws", 3}}};
        const NoisePlan three = make_noise_plan(study, request, Spend::parse(currency, "1.5"));
        EXPECT_EQ(three.cost.text(), "1.5");
        const std::size_t splits = one.measurement.blocks.size();
        ASSERT_EQ(three.measurement.blocks.size(), 3 * splits);
        for (std::size_t b = 0; b < 3 * splits; ++b) {
          const Block& block = three.measurement.blocks[b];
          EXPECT_EQ(block.noise.parameter, one.measurement.blocks[b % splits].noise.parameter);
          EXPECT_EQ(block.statistic.get<GridSplit>().omega,
                    one.measurement.blocks[b % splits].statistic.get<GridSplit>().omega);
        }
        // The cost is that of each draw, three times: they are independent.
        EXPECT_EQ(cost(three.measurement, study.schema, study.privacy),
                  3 * cost(one.measurement, study.schema, study.privacy));
        EXPECT_EQ(make_noise_plan(study, request, three.cost).cost, three.cost);
      }
    }
  }
}

TEST(GridPlan, BeginsTheGridWhereItIsAskedTo) {
  const Study study = network_study({2, 2}, {{}, {0}});
  const Spend amount = Spend::parse(Currency::pure, "2");
  for (const Mechanism mechanism : {Mechanism::posterior_draw, Mechanism::map}) {
    const NoisePlan plan = make_noise_plan(study, Request{mechanism, {{"omega", Rational(1, 10)}}}, amount);
    EXPECT_EQ(plan.cost.text(), "2");
    for (const Block& block : plan.measurement.blocks)
      EXPECT_EQ(block.statistic.get<GridSplit>().omega, Rational(1, 10));
    // R = 4 ln 9 = 8.79: a draw is tempered down to the budget.
    EXPECT_NEAR(std::ldexp(plan.measurement.blocks.front().noise.parameter.get_d(), 20),
                2 / (4 * std::log(9)), 1e-5);
  }
}

TEST(GridPlan, TellsWhatItDoesNotTake) {
  const Study study = network_study({2, 65}, {{}, {0}});
  EXPECT_THROW(static_cast<void>(plan_of(study, Mechanism::map)), Error);
  const Study many = network_study({64, 64, 2}, {{}, {}, {0, 1}});
  EXPECT_THROW(static_cast<void>(plan_of(many, Mechanism::posterior_draw)), Error);
  const Study fine = network_study({2, 2}, {{}, {0}});
  for (const auto& [name, value] :
       {std::pair("x0", Rational(2)), std::pair("draws", Rational(0)), std::pair("draws", Rational(3, 2)),
        std::pair("draws", Rational(1366)), std::pair("omega", Rational(1, 2)),
        std::pair("omega", Rational(1, 2000))}) {
    const Request request{Mechanism::map, {{name, value}}};
    EXPECT_THROW(static_cast<void>(make_noise_plan(fine, request, Spend::parse(Currency::pure, "1"))), Error)
        << name;
  }
  const Request most{Mechanism::map, {{"draws", 1365}}};  // of 3 splits each
  EXPECT_NO_THROW(static_cast<void>(make_noise_plan(fine, most, Spend::parse(Currency::pure, "1"))));
}

TEST(GridSplit, CountsItsRowAndAddsThePrior) {
  const Study study = network_study({2, 3}, {{}, {0}});
  const GridSplit split{{"x0", "x1"}, 1, 0, 2, 3, Rational(1, 4), 3, Rational(3, 2), Rational(-1, 2)};
  const std::vector<std::int64_t> counts{9, 9, 9, 1, 2, 4};
  const Statistic statistic = split;
  const auto found = statistic.kind().from_counts(statistic, study.schema, counts);
  const auto logs = grid_logs(split.omega, 3)->logs;
  for (std::size_t g = 0; g < 3; ++g) {
    const Integer prior = floor(Rational(3, 2) * Rational(logs[g]) - Rational(1, 2) * Rational(logs[2 - g]));
    EXPECT_EQ(found[g], 3 * logs[g] + 4 * logs[2 - g] + prior.get_si());
  }
  EXPECT_EQ(statistic.kind().candidate(statistic, study.schema, 1), "0.5");
}

}  // namespace
}  // namespace postern::model
