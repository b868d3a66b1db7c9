#include <algorithm>

#include <gtest/gtest.h>

#include "postern/core/rng.hpp"

#include "regression_studies.hpp"

// cost() of the sums of products of a regression, against the maximum over all records and all pairs of
// records of coarse grids, categories included. Everything is rational.

namespace postern::model {
namespace {

/// What every record adds to each coordinate, and what a change of each by one costs.
class Enumeration {
 public:
  Enumeration(const Measurement& measurement, const Study& study)
      : squared_(study.privacy.currency == Currency::zcdp) {
    const std::vector<std::string> columns = columns_of(study.model);
    const graph::Domain domain = study.schema.domain(columns);
    for (const Block& block : measurement.blocks) {
      const Rational& p = block.noise.parameter;
      prices_.insert(prices_.end(), block.size, squared_ ? Rational(1 / (2 * p)) : p);
    }
    for (std::size_t cell = 0; cell < domain.cells(); ++cell) {
      const std::vector<std::uint32_t> levels = domain.levels_of(cell);
      std::vector<long>& adds = records_.emplace_back();
      for (const Block& block : measurement.blocks) {
        const auto tally = block.statistic.kind().tally(block.statistic, study.schema);
        tally->add(levels, 1);
        for (const Int128 value : tally->values()) adds.push_back(static_cast<long>(value));
      }
    }
  }
  [[nodiscard]] Rational worst_record() const {
    Rational worst = 0;
    for (const std::vector<long>& adds : records_) worst = std::max(worst, loss(adds));
    return worst;
  }
  [[nodiscard]] Rational worst_pair() const {
    Rational worst = 0;
    for (std::size_t a = 0; a < records_.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        std::vector<long> change = records_[a];
        for (std::size_t j = 0; j < change.size(); ++j) change[j] -= records_[b][j];
        worst = std::max(worst, loss(change));
      }
    }
    return worst;
  }

 private:
  [[nodiscard]] Rational loss(const std::vector<long>& change) const {
    Rational total = 0;
    for (std::size_t j = 0; j < change.size(); ++j)
      total += prices_[j] * (squared_ ? change[j] * change[j] : std::labs(change[j]));
    return total;
  }

  bool squared_;
  std::vector<Rational> prices_;
  std::vector<std::vector<long>> records_;
};

// At most some hundred records each: pairs are many.
const std::vector<RegressionShape> kShapes = {
    {{5}, {}, 5, 2, true},       {{2, 3}, {}, 3, 4, true},    {{5, 5}, {}, 5, 2, false},
    {{3, 3, 3}, {}, 3, 2, true}, {{}, {3}, 5, 2, true},       {{3}, {3}, 3, 2, true},
    {{5}, {2}, 5, 2, true},      {{3}, {2, 3}, 3, 2, true},   {{}, {3, 4}, 3, 2, true},
    {{3, 3}, {3}, 3, 2, false},  {{}, {2, 2, 2}, 3, 2, true}, {{3, 3}, {4}, 2, 2, true},
    {{4}, {3}, 4, 6, true},
};

/// The planned blocks with any noise; each may be absent.
Measurement random_measurement(const Study& study, Rng& rng) {
  Measurement out;
  for (Block block : regression_plan(study, "1").measurement.blocks) {
    if (rng() % 5 == 0) continue;
    block.noise.parameter *= Rational(static_cast<long>(1 + rng() % 30), static_cast<long>(1 + rng() % 30));
    block.noise.parameter.canonicalize();
    out.blocks.push_back(std::move(block));
  }
  return out;
}

TEST(MomentsCost, AddRemoveIsExact) {
  Rng rng(20261118, 1, Purpose::test);
  for (const RegressionShape& shape : kShapes) {
    for (const Currency currency : {Currency::pure, Currency::zcdp}) {
      const Study study = regression_study(shape, Adjacency::add_remove, currency);
      const Measurement planned = regression_plan(study, "1").measurement;
      EXPECT_EQ(cost(planned, study.schema, study.privacy), Enumeration(planned, study).worst_record());
      for (int repeat = 0; repeat < 4; ++repeat) {
        const Measurement any = random_measurement(study, rng);
        EXPECT_EQ(cost(any, study.schema, study.privacy), Enumeration(any, study).worst_record());
      }
    }
  }
}

TEST(MomentsCost, ReplaceOneIsNeverBelowTheWorstPair) {
  Rng rng(20261118, 2, Purpose::test);
  for (const RegressionShape& shape : kShapes) {
    for (const Currency currency : {Currency::pure, Currency::zcdp}) {
      const Study study = regression_study(shape, Adjacency::replace_one, currency);
      const Measurement planned = regression_plan(study, "1").measurement;
      const Rational truth = Enumeration(planned, study).worst_pair();
      EXPECT_GE(cost(planned, study.schema, study.privacy), truth);
      EXPECT_LE(cost(planned, study.schema, study.privacy), truth * Rational(6, 5));
      for (int repeat = 0; repeat < 4; ++repeat) {
        const Measurement any = random_measurement(study, rng);
        EXPECT_GE(cost(any, study.schema, study.privacy), Enumeration(any, study).worst_pair());
      }
    }
  }
}

/// In sums of w_i w_j, with the same noise in all of them: the bound of a record's change.
Rational sensitivity(const Study& study) {
  Measurement measurement;
  for (Block block : regression_plan(study, "1").measurement.blocks) {
    const auto* moments = block.statistic.as<Moments>();
    block.noise.parameter = moments == nullptr ? Rational(1) : moment_unit(*moments);
    measurement.blocks.push_back(std::move(block));
  }
  return cost(measurement, study.schema, study.privacy);
}

// Of numbers alone, pure: 1/2 ((d + 1)^2 + d - 1 / (d + 1)) for d columns, which the grid of d + 1 steps
// attains; beside it the worst pair of the coarsest such grid.
TEST(MomentsCost, ReplaceOneOfNumbersIsExactWhereTheGridAllows) {
  const Study study = regression_study({{7}, {}, 7, 6, true}, Adjacency::replace_one, Currency::pure);
  const Measurement planned = regression_plan(study, "1").measurement;
  EXPECT_EQ(Enumeration(planned, study).worst_pair(), 1);
  EXPECT_EQ(sensitivity(study), Rational(16, 3));
}

// Fourteen features and a target, five and one of them numbers: each column counts once, however many levels
// it has. With 1 that is 16 * 17 / 2 = 136, less nine squares of indicators and half of six squares.
TEST(MomentsCost, ACategoryEntersOnce) {
  const RegressionShape census{{74, 100, 16, 50, 30}, {9, 16, 7, 15, 6, 5, 2, 42, 2}, 99, 1024, true};
  EXPECT_EQ(sensitivity(regression_study(census, Adjacency::add_remove, Currency::pure)), 124);
  const Rational replaced = sensitivity(regression_study(census, Adjacency::replace_one, Currency::pure));
  EXPECT_LE(replaced, 2 * 136);
  EXPECT_GE(replaced, 124);
}

// Seven features that are numbers: half of the squares lowers 45 to 41.
TEST(MomentsCost, CentredSquaresCostHalf) {
  const RegressionShape seven{{9, 9, 9, 9, 9, 9, 9}, {}, 9, 1024, true};
  EXPECT_EQ(sensitivity(regression_study(seven, Adjacency::add_remove, Currency::pure)), 41);
}

TEST(MomentsCost, PlansCostTheBudget) {
  for (const RegressionShape& shape : kShapes) {
    for (const Adjacency adjacency : {Adjacency::replace_one, Adjacency::add_remove}) {
      for (const Currency currency : {Currency::pure, Currency::zcdp}) {
        const Study study = regression_study(shape, adjacency, currency);
        EXPECT_EQ(regression_plan(study, "0.7").cost.exact(), Rational(7, 10));
      }
    }
  }
}

TEST(MomentsCost, RefusesSumsOfDifferentColumns) {
  const Study study = regression_study({{3, 3}, {}, 3, 2, true}, Adjacency::add_remove, Currency::pure);
  Measurement measurement = regression_plan(study, "1").measurement;
  Moments other{{"x0"}, "y", 2, MomentPart::x};
  measurement.blocks.push_back({other, {NoiseKind::discrete_laplace, 1}, 1});
  EXPECT_THROW(static_cast<void>(cost(measurement, study.schema, study.privacy)), Error);
}

}  // namespace
}  // namespace postern::model
