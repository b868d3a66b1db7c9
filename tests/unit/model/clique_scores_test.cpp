// Choices of a set of columns by a model's tables: scores by their definition, and the cost by brute force
// over neighbours.

#include "postern/model/statistic/clique_scores.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "postern/model/plan.hpp"

#include "markov_studies.hpp"

namespace postern::model {
namespace {

using Records = std::vector<std::vector<std::uint32_t>>;

std::vector<Int128> scores_of(const CliqueScores& scores, const Records& records, const Schema& schema) {
  const Statistic statistic = scores;
  const std::unique_ptr<Tally> tally = statistic.kind().tally(statistic, schema);
  for (const auto& record : records) tally->add(record, 1);
  return tally->values();
}

Study three_columns(Adjacency adjacency, Currency currency) {
  return markov_study({2, 3, 2}, {{0, 1}, {1, 2}}, adjacency, currency);
}

/// A pair, another pair, and all three columns.
CliqueScores some_scores() {
  return {{"x0", "x1", "x2"},
          {{0, 1}, {1, 2}, {0, 1, 2}},
          {1, 1, 1, 1, 1, 1, 0, 2, 0, 1, 3, 1, 1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1},
          {0, 2, 5}};
}

TEST(CliqueScores, AreDistancesLessTheHandicap) {
  const Study study = three_columns(Adjacency::add_remove, Currency::pure);
  // x0 x1: one record in cells 0 and 5 each of six; expected one in each.
  EXPECT_EQ(scores_of(some_scores(), {{0, 0, 0}, {1, 2, 1}}, study.schema),
            (std::vector<Int128>{4, 1 + 2 + 1 + 3 - 2, 4 - 5}));
}

TEST(CliqueScores, CostWhatBruteForceFindsAndNoMore) {
  const Rational scale(7, 10);
  for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::replace_one}) {
    const Study study = three_columns(adjacency, Currency::pure);
    const Measurement measured{{{some_scores(), {NoiseKind::exponential, scale}, 1}}};
    const Rational claimed = cost(measured, study.schema, study.privacy);
    const graph::Domain domain = study.schema.domain(columns_of(study.model));
    Int128 apart = 0;
    Rng rng(20261118, 1, Purpose::test);
    for (int trial = 0; trial < 200; ++trial) {
      Records records;
      for (std::uint64_t i = rng() % 8; i > 0; --i) records.push_back(domain.levels_of(rng() % 12));
      if (adjacency == Adjacency::replace_one) records.push_back(domain.levels_of(rng() % 12));
      const std::vector<Int128> before = scores_of(some_scores(), records, study.schema);
      for (std::size_t x = 0; x < domain.cells(); ++x) {
        Records other = records;
        if (adjacency == Adjacency::replace_one) other.pop_back();
        other.push_back(domain.levels_of(x));
        const std::vector<Int128> after = scores_of(some_scores(), other, study.schema);
        for (std::size_t i = 0; i < 3; ++i) {
          for (std::size_t j = 0; j < 3; ++j)
            apart = std::max(apart, (after[i] - before[i]) - (after[j] - before[j]));
        }
      }
    }
    EXPECT_EQ(scale * static_cast<long>(apart), claimed) << "attained, and never exceeded";
  }
}

TEST(CliqueScores, CostInRhoTheSquareOverEight) {
  const Study study = three_columns(Adjacency::replace_one, Currency::zcdp);
  const Measurement measured{{{some_scores(), {NoiseKind::exponential, Rational(1, 2)}, 1}}};
  EXPECT_EQ(cost(measured, study.schema, study.privacy), Rational(1, 2));
}

TEST(CliqueScores, NeedANumberForEveryCellAndCandidate) {
  const Study study = three_columns(Adjacency::replace_one, Currency::pure);
  CliqueScores fewer = some_scores();
  fewer.expected.pop_back();
  EXPECT_THROW(static_cast<void>(statistic_size(fewer, study.schema)), Error);
  CliqueScores unhandicapped = some_scores();
  unhandicapped.handicaps.pop_back();
  EXPECT_THROW(static_cast<void>(statistic_size(unhandicapped, study.schema)), Error);
  EXPECT_EQ(statistic_size(some_scores(), study.schema), 1u);
}

}  // namespace
}  // namespace postern::model
