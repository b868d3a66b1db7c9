// Choices of a pair of columns: scores by their definition, and the cost by brute force over neighbours.

#include "postern/model/statistic/pair_scores.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "postern/model/plan.hpp"
#include "postern/model/rounds.hpp"
#include "postern/model/settles.hpp"
#include "postern/model/statistic/table.hpp"

#include "markov_studies.hpp"

namespace postern::model {
namespace {

using Records = std::vector<std::vector<std::uint32_t>>;

std::vector<Int128> scores_of(const PairScores& scores, const Records& records, const Schema& schema) {
  const Statistic statistic = scores;
  const std::unique_ptr<Tally> tally = statistic.kind().tally(statistic, schema);
  for (const auto& record : records) tally->add(record, 1);
  return tally->values();
}

PairScores three_columns() {
  return {{"x0", "x1", "x2"}, {{2, 2}, {2, 2}, {2, 2}}, 4, {{0, 1}, {0, 2}, {1, 2}}};
}

Study tree_study(std::size_t columns, Adjacency adjacency, Currency currency) {
  Study study = markov_study(std::vector<std::uint32_t>(columns, 2), {{0}}, adjacency, currency);
  MarkovNet net = study.model.get<MarkovNet>();
  net.cliques.clear();
  net.select = Selection::tree;
  study.model = std::move(net);
  return study;
}

TEST(PairScores, AreDistancesFromIndependence) {
  const Study study = tree_study(3, Adjacency::add_remove, Currency::pure);
  // x0 = x1 always, x2 by itself: of four records one is expected in every cell.
  const Records records{{0, 0, 0}, {0, 0, 1}, {1, 1, 0}, {1, 1, 1}};
  EXPECT_EQ(scores_of(three_columns(), records, study.schema), (std::vector<Int128>{4, 0, 0}));
  EXPECT_EQ(expected_records(3, 5, 10), 2);  // 1.5
  EXPECT_EQ(expected_records(3, 4, 10), 1);  // 1.2
  EXPECT_EQ(expected_records(std::int64_t{1} << 40, std::int64_t{1} << 40, std::int64_t{1} << 40),
            std::int64_t{1} << 40);
}

/// The largest log ratio of a candidate's probabilities under two data sets.
double loss(const std::vector<Int128>& a, const std::vector<Int128>& b, double scale) {
  const auto log_sum = [&](const std::vector<Int128>& scores) {
    double sum = 0;
    for (const Int128 score : scores) sum += std::exp(scale * static_cast<double>(score));
    return std::log(sum);
  };
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    most = std::max(most, std::abs(scale * static_cast<double>(a[i] - b[i]) - log_sum(a) + log_sum(b)));
  return most;
}

/// Scores that many candidates have: the bound is neared as they grow in number.
TEST(PairScores, CostWhatBruteForceFindsAndNoMore) {
  constexpr double kScale = 0.7;
  for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::replace_one}) {
    const Study study = tree_study(3, adjacency, Currency::pure);
    const PairScores scores = three_columns();
    const Measurement measured{{{scores, {NoiseKind::exponential, Rational(7, 10)}, 1}}};
    const double claimed = cost(measured, study.schema, study.privacy).get_d();
    EXPECT_NEAR(claimed, kScale * (adjacency == Adjacency::add_remove ? 2 : 4), 1e-12);
    const graph::Domain domain = study.schema.domain(columns_of(study.model));
    double most = 0;
    double apart = 0;
    Rng rng(20261118, 0, Purpose::test);
    for (int trial = 0; trial < 300; ++trial) {
      Records records;
      for (std::uint64_t i = rng() % 7; i > 0; --i) records.push_back(domain.levels_of(rng() % 8));
      if (adjacency == Adjacency::replace_one) records.push_back(domain.levels_of(rng() % 8));
      const std::vector<Int128> before = scores_of(scores, records, study.schema);
      for (std::size_t x = 0; x < domain.cells(); ++x) {
        Records other = records;
        if (adjacency == Adjacency::replace_one) {
          other.back() = domain.levels_of(x);
        } else {
          other.push_back(domain.levels_of(x));
        }
        const std::vector<Int128> after = scores_of(scores, other, study.schema);
        most = std::max(most, loss(before, after, kScale));
        for (std::size_t i = 0; i < 3; ++i) {
          for (std::size_t j = 0; j < 3; ++j)
            apart = std::max(apart, static_cast<double>((after[i] - before[i]) - (after[j] - before[j])));
        }
      }
    }
    EXPECT_LE(most, claimed + 1e-12);
    EXPECT_GT(most, claimed / 2) << "a cost of half as much would be too little";
    EXPECT_EQ(apart * kScale, claimed) << "attained";
  }
}

TEST(PairScores, CostInRhoTheSquareOverEight) {
  const Study study = tree_study(3, Adjacency::replace_one, Currency::zcdp);
  const Measurement measured{{{three_columns(), {NoiseKind::exponential, Rational(1, 2)}, 1}}};
  EXPECT_EQ(cost(measured, study.schema, study.privacy), Rational(1, 2));
}

/// Goes through all rounds with made-up values: tables of ten records a level, the last candidate always.
TEST(TreeRounds, StayWithinTheChargeAndGiveATree) {
  for (const Currency currency : {Currency::pure, Currency::zcdp}) {
    for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::replace_one}) {
      const Study study = tree_study(5, adjacency, currency);
      const Request request{default_mechanism(study), {}};
      const Spend charge = Spend::parse(currency, "0.3");
      const NoisePlan plan = make_noise_plan(study, request, charge);
      EXPECT_EQ(plan.cost.text(), "0.3");
      EXPECT_EQ(plan.rounds->at_most, 6u);
      std::vector<std::vector<MeasuredBlock>> blocks;
      std::vector<PublishedRound> rounds;
      Rational spent = 0;
      while (const auto next = next_round(study, request, charge, rounds)) {
        std::vector<MeasuredBlock>& made = blocks.emplace_back();
        for (const Block& block : next->blocks) {
          const auto* scores = block.statistic.as<PairScores>();
          made.push_back(
              {block, std::vector<Int128>(
                          block.size, scores != nullptr ? Int128(scores->pairs.size()) - 1 : Int128{10})});
        }
        rounds.clear();
        for (const auto& round : blocks) rounds.push_back({round, {}});
        spent += cost(rounds.back(), study);
      }
      EXPECT_EQ(rounds.size(), 6u);
      EXPECT_LE(spent, charge.exact());
      EXPECT_GT(spent, charge.exact() * Rational(999'999, 1'000'000));
      const auto* rule = dynamic_cast<const SettlesModel*>(study.model.kind().round_rule(study, request));
      ASSERT_NE(rule, nullptr);
      const Model settled = rule->settled(study, rounds);
      EXPECT_TRUE(is_decomposable(settled.get<MarkovNet>()));
      EXPECT_EQ(settled.get<MarkovNet>().cliques.size(), 4u + 5u);
      settled.kind().check(settled, study.schema);
      blocks[1][0].values[0] = 99;
      EXPECT_THROW(static_cast<void>(rule->settled(study, rounds)), Error);
    }
  }
}

}  // namespace
}  // namespace postern::model
