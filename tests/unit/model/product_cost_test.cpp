#include <algorithm>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/core/rng.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/statistic/sums.hpp"

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
      if (const auto* sum = block.statistic.as<LevelSum>()) {
        const Integer top = level_ends(schema.at(sum->column)).most;
        adds.push_back(sum->mirrored
                           ? Integer(top - of(sum->column))
                           : Integer(sum->power == 2 ? of(sum->column) * of(sum->column) : of(sum->column)));
      } else if (const auto* product = block.statistic.as<ProductSum>()) {
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
    {{-1, 1}, {-1, 1}, {-3, 3}}, {{-5, 5}, {-1, 9}},         {{-9, -4}, {-4, 1}},
    {{-1, 3}, {-3, 0}, {-2, 1}}, {{-4, 4}, {-1, 0}, {0, 1}},
};

/// A fraction of about 10^-k..10^k.
Rational random_factor(Rng& rng, int k) {
  Rational factor(static_cast<long>(1 + rng() % 40), static_cast<long>(1 + rng() % 40));
  for (std::uint64_t tens = rng() % static_cast<std::uint64_t>(2 * k - 1); tens > 0; --tens) factor *= 10;
  for (int tens = k; tens > 1; --tens) factor /= 10;
  factor.canonicalize();
  return factor;
}

/// The planned statistics with any noise, up to 10^spread times more or less; each may be absent or measured
/// twice.
Measurement random_measurement(const Study& study, Rng& rng, int spread = 1) {
  const Spend one = Spend::parse(study.privacy.currency, "1");
  Measurement out;
  for (Block block : make_noise_plan(study, default_mechanism(study), one).measurement.blocks) {
    std::uint64_t copies = rng() % 8 == 0 ? rng() % 3 : 1;
    if (block.statistic.as<ProductSum>() != nullptr) copies = std::max<std::uint64_t>(copies, 1);
    for (std::uint64_t c = 0; c < copies; ++c) {
      block.noise.parameter *= random_factor(rng, spread);
      out.blocks.push_back(block);
    }
  }
  return out;
}

TEST(ProductCost, AddRemoveEqualsBruteForce) {
  Rng rng(20261116, 21, Purpose::test);
  for (const Box& box : kBoxes) {
    for (const Currency currency : {Currency::pure, Currency::zcdp}) {
      const Study study = vector_study(box, Adjacency::add_remove, currency);
      for (int repeat = 0; repeat < 3; ++repeat) {
        const Measurement measurement = random_measurement(study, rng);
        const Definition all(measurement, study.schema, currency);
        EXPECT_EQ(cost(measurement, study.schema, policy_of(Adjacency::add_remove, currency)),
                  all.worst_record());
        EXPECT_EQ(cost(measurement, study.schema, policy_of(Adjacency::add_remove, currency, 2)),
                  all.worst_pair(+1));
      }
    }
  }
}

/// Compares with the maximum over all pairs.
void expect_exact(const Measurement& measurement, const Study& study) {
  const Rational truth = Definition(measurement, study.schema, study.privacy.currency).worst_pair(-1);
  EXPECT_EQ(cost(measurement, study.schema, study.privacy), truth);
}

TEST(ProductCost, ReplaceOneEqualsBruteForceForPlansAndUnitNoise) {
  for (const Box& box : kBoxes) {
    for (const Currency currency : {Currency::pure, Currency::zcdp}) {
      const Study study = vector_study(box, Adjacency::replace_one, currency);
      const Spend one = Spend::parse(currency, "1");
      Measurement measurement = make_noise_plan(study, default_mechanism(study), one).measurement;
      expect_exact(measurement, study);
      for (Block& block : measurement.blocks) block.noise.parameter = 1;
      expect_exact(measurement, study);
    }
  }
}

TEST(ProductCost, ReplaceOneEqualsBruteForceForAnyNoise) {
  Rng rng(20261116, 22, Purpose::test);
  for (const Box& box : kBoxes) {
    for (const Currency currency : {Currency::pure, Currency::zcdp}) {
      const Study study = vector_study(box, Adjacency::replace_one, currency);
      for (int spread = 1; spread <= 3; ++spread) expect_exact(random_measurement(study, rng, spread), study);
    }
  }
}

// Weights of sixty digits each have a common denominator of hundreds.
TEST(ProductCost, ReplaceOneEqualsBruteForceForLongWeights) {
  Rng rng(20261116, 23, Purpose::test);
  Integer tens;
  mpz_ui_pow_ui(tens.get_mpz_t(), 10, 40);
  for (const Box& box : {kBoxes[0], kBoxes[4], kBoxes[7], kBoxes[12]}) {
    for (const Currency currency : {Currency::pure, Currency::zcdp}) {
      const Study study = vector_study(box, Adjacency::replace_one, currency);
      Measurement measurement = random_measurement(study, rng);
      for (Block& block : measurement.blocks) {
        const Rational nudge(tens + Integer(static_cast<unsigned long>(rng() >> 8)), tens);
        block.noise.parameter *= nudge;
        block.noise.parameter.canonicalize();
      }
      expect_exact(measurement, study);
    }
  }
}

// A number and its square alone, as the other families have them.
TEST(ProductCost, OneColumnEqualsBruteForce) {
  Rng rng(20261116, 24, Purpose::test);
  for (const Box& box : {Box{{-3, 3}}, Box{{-2, 7}}, Box{{0, 6}}, Box{{4, 9}}, Box{{-8, 1}}}) {
    Study study;
    study.schema = box_schema(box);
    study.privacy.adjacency = Adjacency::replace_one;
    for (const Currency currency : {Currency::pure, Currency::zcdp}) {
      study.privacy.currency = currency;
      const NoiseKind kind =
          currency == Currency::pure ? NoiseKind::discrete_laplace : NoiseKind::discrete_gaussian;
      for (int spread = 1; spread <= 3; ++spread) {
        expect_exact({{{LevelSum{"a", {}}, {kind, random_factor(rng, spread)}, 1},
                       {LevelSum{"a", {}, 2}, {kind, random_factor(rng, spread)}, 1}}},
                     study);
      }
    }
  }
}

// The best vector lies between corners and on no special place; 713 records, a quarter of a million pairs.
TEST(ProductCost, ReplaceOneEqualsBruteForceOnAFinerGrid) {
  Rng rng(20261116, 25, Purpose::test);
  for (const Currency currency : {Currency::pure, Currency::zcdp}) {
    const Study study = vector_study({{-13, 9}, {-10, 20}}, Adjacency::replace_one, currency);
    expect_exact(random_measurement(study, rng), study);
  }
}

/// The planned statistics at the noise of statistic/products/cost.md with a = 1, or tau = 1.
Measurement at_unit_scale(const Study& study) {
  const Spend one = Spend::parse(study.privacy.currency, "1");
  Measurement out = make_noise_plan(study, default_mechanism(study), one).measurement;
  const bool pure = study.privacy.currency == Currency::pure;
  const auto reach = [&](const std::string& column) {
    return Rational(level_ends(study.schema.at(column)).reach());
  };
  for (Block& block : out.blocks) {
    const auto* sum = block.statistic.as<LevelSum>();
    const auto* product = block.statistic.as<ProductSum>();
    const Rational first = reach(sum != nullptr ? sum->column : product->first);
    const Rational second = sum == nullptr ? reach(product->second) : sum->power == 2 ? first : Rational(1);
    const Rational most = first * second;
    const bool square = sum != nullptr && sum->power == 2;
    block.noise.parameter = pure ? Rational(1 / most) : Rational(most * most / (square ? 2 : 4));
  }
  return out;
}

// Up to a million levels a column: what the plan's noise costs in columns around zero.
TEST(ProductCost, FineGridsReachTheFormula) {
  for (long d = 2; d <= 8; ++d) {
    const std::int64_t end = (d + 1) * 50'000;
    const Box box(static_cast<std::size_t>(d), {-end, end});
    const Study pure = vector_study(box, Adjacency::replace_one, Currency::pure);
    EXPECT_EQ(cost(at_unit_scale(pure), pure.schema, pure.privacy),
              ((d + 1) * (d + 1) + d - Rational(1, d + 1)) / 2);
    const Study zcdp = vector_study(box, Adjacency::replace_one, Currency::zcdp);
    EXPECT_EQ(cost(at_unit_scale(zcdp), zcdp.schema, zcdp.privacy),
              2 * (d + 1) * (d + 1) - (d % 2 == 0 ? 2 : 0));
  }
}

// A document may state more columns than a study has: bounded, statistic by statistic.
TEST(ProductCost, NineColumnsCostNoLessThanBruteForce) {
  const Box box{{-1, 1}, {-1, 1}, {0, 1}, {0, 1}, {-1, 0}, {0, 1}, {0, 0}, {0, 0}, {0, 0}};
  const Schema schema = box_schema(box);
  Measurement measurement;
  for (char first = 'a'; first < 'i'; ++first) {
    const ProductSum product{std::string(1, first), std::string(1, static_cast<char>(first + 1))};
    measurement.blocks.push_back({product, {NoiseKind::discrete_laplace, Rational(1, first - 'a' + 1)}, 1});
  }
  const Rational truth = Definition(measurement, schema, Currency::pure).worst_pair(-1);
  EXPECT_GE(cost(measurement, schema, policy_of(Adjacency::replace_one, Currency::pure)), truth);
}

// A sum that is not of the numbers themselves is priced on its own.
TEST(ProductCost, AMirroredSumBesideProductsIsABound) {
  Rng rng(20261116, 26, Purpose::test);
  LevelSum mirrored{"a", {}};
  mirrored.mirrored = true;
  for (const Box& box : kBoxes) {
    const Study study = vector_study(box, Adjacency::replace_one, Currency::pure);
    Measurement measurement = random_measurement(study, rng);
    measurement.blocks.push_back({mirrored, {NoiseKind::discrete_laplace, Rational(1, 3)}, 1});
    EXPECT_GE(cost(measurement, study.schema, study.privacy),
              Definition(measurement, study.schema, Currency::pure).worst_pair(-1));
  }
}

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
  if (const auto* sum = block.statistic.as<LevelSum>()) {
    const Rational reach = level_ends(schema.at(sum->column)).reach();
    most = sum->power == 2 ? Rational(reach * reach) : reach;
  } else {
    const auto& product = block.statistic.get<ProductSum>();
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
    ASSERT_EQ(blocks[3].statistic.get<LevelSum>().power, 2);
    const Rational of_squares = in_proportion(blocks[3], study.schema);
    for (const Block& block : blocks) {
      const auto* sum = block.statistic.as<LevelSum>();
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
