#include <algorithm>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/core/rng.hpp"
#include "postern/model/encoded_number.hpp"

#include "vector_studies.hpp"

// cost() of sums, squares and products, against the maximum over all records and all pairs of records of
// coarse boxes. Everything is rational.

namespace postern::model {
namespace {

/// What every record of a box adds to each statistic, and what a change of each by one costs.
struct Definition {
  Definition(const Measurement& measurement, const Schema& schema, Currency currency)
      : squared(currency == Currency::zcdp) {
    for (const Block& block : measurement.blocks) {
      const Rational& p = block.noise.parameter;
      prices.push_back(squared ? Rational(1 / (2 * p)) : p);
    }
    std::vector<std::int64_t> k;
    list(measurement, schema, k);
  }
  void list(const Measurement& measurement, const Schema& schema, std::vector<std::int64_t>& k) {
    if (k.size() < schema.columns().size()) {
      for (const std::int64_t add : level_values(schema.columns()[k.size()], {}).adds) {
        k.push_back(add);
        list(measurement, schema, k);
        k.pop_back();
      }
      return;
    }
    const auto of = [&](const std::string& column) { return Integer(k[*schema.find(column)]); };
    std::vector<Integer> adds;
    for (const Block& block : measurement.blocks) {
      if (const auto* sum = std::get_if<LevelSum>(&block.statistic)) {
        const Integer top = level_ends(schema.at(sum->column)).most;
        adds.push_back(sum->mirrored
                           ? Integer(top - of(sum->column))
                           : Integer(sum->power == 2 ? of(sum->column) * of(sum->column) : of(sum->column)));
      } else if (const auto* product = std::get_if<ProductSum>(&block.statistic)) {
        adds.push_back(of(product->first) * of(product->second));
      } else {
        adds.emplace_back(1);  // the number of records
      }
    }
    records.push_back(std::move(adds));
  }
  [[nodiscard]] Rational loss(const std::vector<Integer>& change) const {
    Rational total = 0;
    for (std::size_t j = 0; j < change.size(); ++j)
      total += prices[j] * (squared ? Integer(change[j] * change[j]) : Integer(abs(change[j])));
    return total;
  }
  /// Over pairs of records, the second taken `sign` times.
  [[nodiscard]] Rational worst_pair(int sign) const {
    Rational worst = 0;
    for (std::size_t a = 0; a < records.size(); ++a) {
      for (std::size_t b = 0; b <= a; ++b) {
        std::vector<Integer> change = records[a];
        for (std::size_t j = 0; j < change.size(); ++j) change[j] += sign * records[b][j];
        worst = std::max(worst, loss(change));
      }
    }
    return worst;
  }
  [[nodiscard]] Rational worst_record() const {
    Rational worst = 0;
    for (const auto& adds : records) worst = std::max(worst, loss(adds));
    return worst;
  }

  bool squared;
  std::vector<Rational> prices;
  std::vector<std::vector<Integer>> records;
};

PrivacyPolicy policy_of(Adjacency adjacency, Currency currency, std::int64_t k = 1) {
  PrivacyPolicy policy;
  policy.adjacency = adjacency;
  policy.currency = currency;
  if (k > 1) policy.unit = PersonUnit{"id", k};
  return policy;
}

const std::vector<Box> kBoxes = {
    {{-3, 3}, {-2, 2}},          {{-3, 1}, {-1, 4}},         {{0, 5}, {0, 3}},
    {{-4, 0}, {0, 3}},           {{2, 5}, {-3, 3}},          {{-1, 0}, {-6, 6}},
    {{-2, 2}, {-2, 2}, {-2, 2}}, {{-2, 1}, {0, 2}, {-1, 2}}, {{0, 2}, {-3, 0}, {7, 9}},
    {{-1, 1}, {-1, 1}, {-3, 3}},
};

/// Whether every k of a column has one sign, in every column.
bool one_sided(const Schema& schema) {
  return std::all_of(schema.columns().begin(), schema.columns().end(), [](const Column& column) {
    const LevelEnds ends = level_ends(column);
    return ends.least == 0 || ends.most == 0;
  });
}

/// The planned statistics with any noise; each may be absent or measured twice.
Measurement random_measurement(const Study& study, Rng& rng, bool with_mirrored) {
  const bool pure = study.privacy.currency == Currency::pure;
  const Spend one = Spend::parse(study.privacy.currency, "1");
  Measurement out;
  for (Block block : make_noise_plan(study, default_mechanism(study), one).measurement.blocks) {
    std::uint64_t copies = rng() % 8 == 0 ? rng() % 3 : 1;
    if (std::holds_alternative<ProductSum>(block.statistic)) copies = std::max<std::uint64_t>(copies, 1);
    for (std::uint64_t c = 0; c < copies; ++c) {
      const Rational factor(static_cast<long>(1 + rng() % 40), static_cast<long>(1 + rng() % 40));
      block.noise.parameter *= factor;
      block.noise.parameter.canonicalize();
      out.blocks.push_back(block);
    }
  }
  if (with_mirrored) {
    LevelSum mirrored{"a", {}};
    mirrored.mirrored = true;
    const NoiseKind kind = pure ? NoiseKind::discrete_laplace : NoiseKind::discrete_gaussian;
    out.blocks.push_back({mirrored, {kind, Rational(1, 3)}, 1});
  }
  return out;
}

TEST(ProductCost, AddRemoveEqualsBruteForce) {
  Rng rng(20261116, 21, Purpose::test);
  for (const Box& box : kBoxes) {
    for (const Currency currency : {Currency::pure, Currency::zcdp}) {
      const Study study = vector_study(box, Adjacency::add_remove, currency);
      for (int repeat = 0; repeat < 3; ++repeat) {
        const Measurement measurement = random_measurement(study, rng, false);
        const Definition all(measurement, study.schema, currency);
        EXPECT_EQ(cost(measurement, study.schema, policy_of(Adjacency::add_remove, currency)),
                  all.worst_record());
        EXPECT_EQ(cost(measurement, study.schema, policy_of(Adjacency::add_remove, currency, 2)),
                  all.worst_pair(+1));
      }
    }
  }
}

TEST(ProductCost, ReplaceOneIsNeverBelowBruteForce) {
  Rng rng(20261116, 22, Purpose::test);
  for (const Box& box : kBoxes) {
    for (const Currency currency : {Currency::pure, Currency::zcdp}) {
      const Study study = vector_study(box, Adjacency::replace_one, currency);
      for (int repeat = 0; repeat < 4; ++repeat) {
        const Measurement measurement = random_measurement(study, rng, repeat % 4 == 3);
        const Rational truth = Definition(measurement, study.schema, currency).worst_pair(-1);
        const Rational charged = cost(measurement, study.schema, policy_of(Adjacency::replace_one, currency));
        EXPECT_GE(charged, truth);
        if (one_sided(study.schema) && repeat % 4 != 3) {
          EXPECT_EQ(charged, truth);
        }
      }
    }
  }
}

// How much of the budget is lost where the bound is not attained: the figures of product_sum.md.
TEST(ProductCost, ReplaceOneIsCloseToBruteForceForPlans) {
  for (const Box& box : kBoxes) {
    for (const Currency currency : {Currency::pure, Currency::zcdp}) {
      const Study study = vector_study(box, Adjacency::replace_one, currency);
      const Spend one = Spend::parse(currency, "1");
      const Measurement planned = make_noise_plan(study, default_mechanism(study), one).measurement;
      const Rational truth = Definition(planned, study.schema, currency).worst_pair(-1);
      const double ratio = Rational(cost(planned, study.schema, study.privacy) / truth).get_d();
      EXPECT_GE(ratio, 1);
      EXPECT_LE(ratio, one_sided(study.schema) ? 1 : 1.4) << box.size();
      std::string name(to_text(currency));
      for (const auto& [lo, hi] : box)
        name.append(" ").append(std::to_string(lo)).append("..").append(std::to_string(hi));
      RecordProperty(name, std::to_string(ratio));  // as --gtest_output=xml shows them
    }
  }
}

// The proof takes the weights' own product form; a column that is in products only has none.
TEST(ProductCost, AProductAlone) {
  const Schema schema = box_schema({{-3, 3}, {-2, 2}});
  const Measurement alone{{{ProductSum{"a", "b"}, {NoiseKind::discrete_laplace, Rational(1, 6)}, 1}}};
  EXPECT_EQ(cost(alone, schema, policy_of(Adjacency::add_remove, Currency::pure)), 1);
  EXPECT_EQ(cost(alone, schema, policy_of(Adjacency::replace_one, Currency::pure)), 2);
  const Schema still = box_schema({{0, 0}, {4, 4}});
  EXPECT_EQ(cost(alone, still, policy_of(Adjacency::replace_one, Currency::pure)), 0);
}

TEST(ProductCost, PlansCostTheBudgetExactly) {
  for (const Box& box : kBoxes) {
    for (const Currency currency : {Currency::pure, Currency::zcdp}) {
      for (const Adjacency adjacency : {Adjacency::replace_one, Adjacency::add_remove}) {
        const Study study = vector_study(box, adjacency, currency);
        const NoisePlan plan =
            make_noise_plan(study, default_mechanism(study), Spend::parse(currency, "0.37"));
        EXPECT_EQ(cost(plan.measurement, study.schema, study.privacy), Rational(37, 100));
        EXPECT_EQ(plan.cost.exact(), Rational(37, 100));
        const std::size_t d = box.size();
        const std::size_t counts = adjacency == Adjacency::add_remove ? 1 : 0;
        EXPECT_EQ(plan.measurement.blocks.size(), d + d * (d + 1) / 2 + counts);
      }
    }
  }
}

/// A statistic's noise beside what a record can add to it: lambda K, or sigma^2 / K^2.
Rational in_proportion(const Block& block, const Schema& schema) {
  Rational most;
  if (const auto* sum = std::get_if<LevelSum>(&block.statistic)) {
    const Rational reach = level_ends(schema.at(sum->column)).reach();
    most = sum->power == 2 ? Rational(reach * reach) : reach;
  } else {
    const auto& product = std::get<ProductSum>(block.statistic);
    most = level_ends(schema.at(product.first)).reach() * level_ends(schema.at(product.second)).reach();
  }
  const Rational& p = block.noise.parameter;
  return block.noise.kind == NoiseKind::discrete_laplace ? Rational(p * most) : Rational(p / (most * most));
}

TEST(ProductCost, PlansNoiseEveryStatisticInProportionToItsRange) {
  const Box box{{-3, 5}, {10, 50}, {0, 7}};
  for (const Currency currency : {Currency::pure, Currency::zcdp}) {
    const Study study = vector_study(box, Adjacency::replace_one, currency);
    const auto blocks =
        make_noise_plan(study, default_mechanism(study), Spend::parse(currency, "1")).measurement.blocks;
    ASSERT_EQ(std::get<LevelSum>(blocks[3].statistic).power, 2);
    const Rational of_squares = in_proportion(blocks[3], study.schema);
    for (const Block& block : blocks) {
      const auto* sum = std::get_if<LevelSum>(&block.statistic);
      const bool half = currency == Currency::zcdp && (sum == nullptr || sum->power == 1);
      EXPECT_EQ(in_proportion(block, study.schema), half ? Rational(of_squares / 2) : of_squares);
    }
  }
}

TEST(ProductCost, RefusesProductsThatAreNone) {
  const Schema schema({{"a", IntegerRange{0, 3, {}}},
                       {"cut", IntegerRange{0, 30, {10}}},
                       {"word", Categories{{"x", "y"}}, MapTo{0}, MapTo{0}}});
  for (const ProductSum& product :
       {ProductSum{"a", "a"}, ProductSum{"a", "cut"}, ProductSum{"word", "a"}, ProductSum{"a", "z"}})
    EXPECT_THROW(static_cast<void>(statistic_size(product, schema)), Error);
}

}  // namespace
}  // namespace postern::model
