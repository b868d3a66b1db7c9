#include <algorithm>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/core/rng.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/noise_limits.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/statistic/sums.hpp"
#include "postern/model/statistic/table.hpp"

#include "number_studies.hpp"

// cost() of sums, against the maximum over all levels, pairs and multisets of levels taken from the
// definition. Everything is rational: == means equal.

namespace postern::model {
namespace {

/// What a record at `level` adds to every coordinate of a statistic of column x, from its definition.
std::vector<Integer> contribution(const Statistic& statistic, std::uint32_t level, const Schema& schema) {
  if (statistic.as<RecordCount>() != nullptr) return {1};
  if (const auto* sum = statistic.as<LevelSum>()) {
    const LevelValues values = level_values(schema.at("x"), sum->transform);
    const Integer k = values.adds[level];
    if (sum->mirrored) return {values.adds.back() - k};
    if (sum->power == 0) {
      const EncodedNumber number = encoded_number(schema.at("x"), sum->transform);
      return {number.inside(level) ? 1 : 0};
    }
    return {sum->power == 2 ? Integer(k * k) : k};
  }
  std::vector<Integer> cells(schema.at("x").levels());
  cells[level] = 1;
  if (const auto* count = statistic.as<LevelCount>()) return {cells[count->level]};
  return cells;
}

/// All contributions of a measurement: by level, then coordinate; and the price of a unit change of each.
struct Definition {
  Definition(const Measurement& measurement, const Schema& schema, Currency currency)
      : squared(currency == Currency::zcdp), levels(schema.at("x").levels()), by_level(levels) {
    for (const Block& block : measurement.blocks) {
      const Rational& p = block.noise.parameter;
      prices.insert(prices.end(), block.size, squared ? Rational(1 / (2 * p)) : p);
      for (std::uint32_t level = 0; level < levels; ++level) {
        const auto adds = contribution(block.statistic, level, schema);
        by_level[level].insert(by_level[level].end(), adds.begin(), adds.end());
      }
    }
  }
  /// sum_j lambda_j |D_j| or sum_j D_j^2 / (2 sigma_j^2).
  [[nodiscard]] Rational loss(const std::vector<Integer>& change) const {
    Rational total = 0;
    for (std::size_t j = 0; j < change.size(); ++j) {
      const Integer size = abs(change[j]);
      total += prices[j] * (squared ? Integer(size * size) : size);
    }
    return total;
  }
  /// One record at `from` becomes one at `to`.
  [[nodiscard]] Rational replacing(std::uint32_t from, std::uint32_t to) const {
    std::vector<Integer> change = by_level[to];
    for (std::size_t j = 0; j < change.size(); ++j) change[j] -= by_level[from][j];
    return loss(change);
  }
  [[nodiscard]] Rational worst_replacement() const {
    Rational worst = 0;
    for (std::uint32_t from = 0; from < levels; ++from) {
      for (std::uint32_t to = 0; to < levels; ++to) worst = std::max(worst, replacing(from, to));
    }
    return worst;
  }
  /// The worst multiset of k records at levels from `first` on, added to what `change` holds.
  [[nodiscard]] Rational worst_addition(std::int64_t k, std::uint32_t first = 0,
                                        std::vector<Integer> change = {}) const {
    change.resize(prices.size());
    if (k == 0) return loss(change);
    Rational worst = 0;
    for (std::uint32_t level = first; level < levels; ++level) {
      std::vector<Integer> more = change;
      for (std::size_t j = 0; j < more.size(); ++j) more[j] += by_level[level][j];
      worst = std::max(worst, worst_addition(k - 1, level, more));
    }
    return worst;
  }

  bool squared;
  std::uint32_t levels;
  std::vector<Rational> prices;
  std::vector<std::vector<Integer>> by_level;
};

bool can_count_inside(const Schema& schema, const Transform& transform) {
  LevelSum sum{"x", transform};
  sum.power = 0;
  try {
    static_cast<void>(level_terms(sum, schema));
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// One to four blocks: sums of numbers, of squares, mirrored sums, with the transforms the column allows, the
/// number of records, the table. Any noise.
Measurement random_blocks(const Schema& schema, const std::vector<Transform>& transforms, Currency currency,
                          Rng& rng) {
  const NoiseKind kind =
      currency == Currency::pure ? NoiseKind::discrete_laplace : NoiseKind::discrete_gaussian;
  Measurement measurement;
  const std::size_t blocks = 1 + rng() % 4;
  for (std::size_t b = 0; b < blocks; ++b) {
    Noise noise{kind, Rational(static_cast<long>(1 + rng() % 99), static_cast<long>(1 + rng() % 9999))};
    noise.parameter.canonicalize();
    LevelSum sum{"x", transforms[rng() % transforms.size()]};
    Statistic statistic = sum;
    const std::uint64_t which = rng() % 8;
    if (which == 0) statistic = RecordCount{};
    if (which == 1) statistic = Table{{"x"}};
    if (which == 2 || which == 3) {
      sum.mirrored = true;
      statistic = sum;
    } else if (which >= 6) {
      sum.power = 2;
      statistic = sum;
    } else if (which == 5 && can_count_inside(schema, sum.transform)) {
      sum.power = 0;
      statistic = sum;
    }
    measurement.blocks.push_back({statistic, noise, statistic_size(statistic, schema)});
  }
  return measurement;
}

PrivacyPolicy policy_of(Adjacency adjacency, Currency currency, std::int64_t k = 1) {
  PrivacyPolicy policy;
  policy.adjacency = adjacency;
  policy.currency = currency;
  if (k > 1) policy.unit = PersonUnit{"id", k};
  return policy;
}

void expect_brute_force(const Measurement& measurement, const Schema& schema, Currency currency) {
  const Definition all(measurement, schema, currency);
  EXPECT_EQ(cost(measurement, schema, policy_of(Adjacency::replace_one, currency)), all.worst_replacement());
  for (const std::int64_t k : {1, 2, 3}) {
    EXPECT_EQ(cost(measurement, schema, policy_of(Adjacency::add_remove, currency, k)), all.worst_addition(k))
        << "units of " << k;
  }
}

class NumberCost : public testing::TestWithParam<NumberFamily> {};

TEST_P(NumberCost, EqualsBruteForceOverAllNeighbours) {
  const NumberFamily& family = GetParam();
  Rng rng(20261116, 11, Purpose::test);
  for (const NumberRange& range : coarse_ranges(family)) {
    ASSERT_LE(number_column(family, range).levels(), 12u);
    const Transform own = family.transform(number_model(family, range).known);
    std::vector<Transform> transforms{own};
    if (range.lo >= 0) transforms.push_back({Transform::Kind::power, Rational(1, 2)});
    if (range.lo >= 0) transforms.push_back({});
    for (int trial = 0; trial < 12; ++trial) {
      const Currency currency = trial % 2 == 0 ? Currency::pure : Currency::zcdp;
      Column column = number_column(family, range);
      if (trial >= 6) column.outside = MapTo{column.levels() / 2};
      const Schema schema({column});
      const Measurement measurement = random_blocks(schema, transforms, currency, rng);
      SCOPED_TRACE(testing::Message() << "lo " << range.lo << ", hi " << range.hi << ", trial " << trial);
      expect_brute_force(measurement, schema, currency);
    }
  }
}

// Level counts beside sums of the same column: the maxima need not meet in one record, so cost() may be
// above the maximum, never below it.
TEST_P(NumberCost, IsNeverShortBesideLevelCounts) {
  const NumberFamily& family = GetParam();
  Rng rng(20261116, 12, Purpose::test);
  for (const NumberRange& range : coarse_ranges(family)) {
    const Schema schema({number_column(family, range)});
    for (const Currency currency : {Currency::pure, Currency::zcdp}) {
      Measurement measurement = random_blocks(schema, {Transform{}}, currency, rng);
      for (const std::uint32_t level : {0u, 1u})
        measurement.blocks.push_back({LevelCount{"x", level}, measurement.blocks.front().noise, 1});
      const Definition all(measurement, schema, currency);
      EXPECT_GE(cost(measurement, schema, policy_of(Adjacency::replace_one, currency)),
                all.worst_replacement());
      EXPECT_GE(cost(measurement, schema, policy_of(Adjacency::add_remove, currency)), all.worst_addition(1));
    }
  }
}

TEST_P(NumberCost, APlanCostsExactlyTheBudget) {
  const NumberFamily& family = GetParam();
  for (const NumberRange& range : coarse_ranges(family)) {
    for (const Adjacency adjacency : {Adjacency::replace_one, Adjacency::add_remove}) {
      for (const Currency currency : {Currency::pure, Currency::zcdp}) {
        Study study = number_study(family, {range, adjacency, currency});
        for (const std::int64_t k : {1, 3}) {
          if (k > 1 && adjacency == Adjacency::replace_one) continue;
          study.privacy = policy_of(adjacency, currency, k);
          const Spend budget = Spend::parse(currency, "0.123456789");
          const NoisePlan plan = make_noise_plan(study, default_mechanism(study), budget);
          EXPECT_EQ(plan.cost, budget);
          const Definition all(plan.measurement, study.schema, currency);
          EXPECT_EQ(adjacency == Adjacency::replace_one ? all.worst_replacement() : all.worst_addition(k),
                    budget.exact());
        }
      }
    }
  }
}

Rational ratio_of_scales(const Noise& a, const Noise& b) {
  return a.kind == NoiseKind::discrete_laplace ? Rational(b.parameter / a.parameter)
                                               : Rational(a.parameter / b.parameter);
}

// lambda_j is proportional to w_j = round(max range / range_j), sigma_j^2 to 1 / w_j^2; the number of
// records has a tenth of the budget; a binomial sum has its mirror image beside it instead
// (docs/decisions/noise-in-proportion.md, private-n.md).
TEST_P(NumberCost, APlanSharesTheBudgetOutAsSpecified) {
  const NumberFamily& family = GetParam();
  for (const NumberRange& range : coarse_ranges(family)) {
    for (const Adjacency adjacency : {Adjacency::replace_one, Adjacency::add_remove}) {
      for (const Currency currency : {Currency::pure, Currency::zcdp}) {
        const Study study = number_study(family, {range, adjacency, currency});
        const auto plan = make_noise_plan(study, default_mechanism(study), Spend::parse(currency, "0.5"));
        const std::vector<Block>& blocks = plan.measurement.blocks;
        const bool hidden = adjacency == Adjacency::add_remove;
        ASSERT_EQ(blocks.size(), 1u + (family.squares ? 1 : 0) + (hidden ? 1 : 0));
        EXPECT_EQ(blocks[0].statistic.get<LevelSum>().power, 1);
        if (family.squares) {
          const LevelSum& squares = blocks[1].statistic.get<LevelSum>();
          EXPECT_EQ(squares.power, 2);
          const auto k = level_values(study.schema.at("x"), squares.transform).adds;
          const Integer span = k.back() - k.front();
          const bool zero_inside = k.front() <= 0 && k.back() >= 0;
          const Integer top = std::max(k.back() * k.back(), k.front() * k.front());
          const Integer span2 = zero_inside ? top : Integer(abs(Integer(k.back() + k.front())) * span);
          const Rational most = std::max(span, span2);
          const auto rounded = [](const Rational& r) {
            const Rational up = r + Rational(1, 2);
            return Rational(Integer(up.get_num() / up.get_den()));
          };
          const Rational wanted = rounded(most / span2) / rounded(most / span);
          const Rational found = ratio_of_scales(blocks[0].noise, blocks[1].noise);
          EXPECT_EQ(found, currency == Currency::pure ? wanted : Rational(wanted * wanted));
        }
        if (!hidden) continue;
        if (family.bounded) {
          EXPECT_TRUE(blocks.back().statistic.get<LevelSum>().mirrored);
          EXPECT_EQ(blocks.back().noise.parameter, blocks[0].noise.parameter);
        } else {
          EXPECT_TRUE(blocks.back().statistic.as<RecordCount>() != nullptr);
          EXPECT_EQ(cost({{blocks.back()}}, study.schema, study.privacy), Rational(1, 20));
        }
      }
    }
  }
}

std::string name_of(const testing::TestParamInfo<NumberFamily>& info) {
  std::string name(info.param.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, NumberCost,
                         testing::ValuesIn(number_families().begin(), number_families().end()), name_of);

// By hand: the largest |c - c'| + |c^2 - c'^2| on [-3, 3] is 12.25, reached at 3 and -1/2; the
// coordinates' own maxima would add up to 15. One step of the grid is g: lambda = (g, g^2) are weights (1, 1)
// in units of x.
TEST(NumberCostValues, ANumberAndItsSquareOnAClampedRange) {
  const NumberFamily& normal = *find_number_family("normal");
  const auto cost_on_grid = [&](const Rational& g) {
    const Schema schema({number_column(normal, {-3, 3, g})});
    LevelSum squares{"x", {}};
    squares.power = 2;
    const Measurement both{{{LevelSum{"x", {}}, {NoiseKind::discrete_laplace, g}, 1},
                            {squares, {NoiseKind::discrete_laplace, g * g}, 1}}};
    return cost(both, schema, policy_of(Adjacency::replace_one, Currency::pure));
  };
  EXPECT_EQ(cost_on_grid(Rational(1, 2)), Rational(49, 4));
  EXPECT_EQ(cost_on_grid(Rational(1, 1000)), Rational(49, 4));
  EXPECT_EQ(cost_on_grid(1), 12);  // without the level -1/2
  for (const long steps : {7, 77, 7777}) {
    const Rational found = cost_on_grid(Rational(3, steps));
    EXPECT_LT(found, Rational(49, 4));
    EXPECT_GT(found, Rational(49, 4) - Rational(9, 4 * steps * steps));  // a parabola of curvature 2
  }
}

// The finest grid a column may have: levels -m..m-1 of the integers with m = 2^19. With lambda = (w, 1) the
// worst neighbour of -m is x = w / 2, where w (x + m) + m^2 - x^2 is largest; the ranges make w = 2^18.
TEST(NumberCostValues, AreExactOnTheFinestGrid) {
  const NumberFamily& normal = *find_number_family("normal");
  const Integer m = 1 << 19;
  const Study study = number_study(normal, {{Rational(-m), Rational(m - 1)}});
  const auto plan = make_noise_plan(study, Mechanism::laplace, Spend::parse(Currency::pure, "1"));
  const Rational lambda = plan.measurement.blocks[0].noise.parameter;
  const Rational lambda_of_squares = plan.measurement.blocks[1].noise.parameter;
  const Integer w = 1 << 18;
  EXPECT_EQ(lambda, lambda_of_squares * w);
  const Integer x = w / 2;
  EXPECT_EQ(lambda_of_squares * (w * (x + m) + m * m - x * x), 1);
}

// The level to which outside values are mapped is counted outside, whatever it adds to the sums: with a dear
// count it is in the worst pair without being at an end of any sum.
TEST(NumberCostValues, LookAtTheLevelThatOutsideValuesAreMappedTo) {
  const NumberFamily& normal = *find_number_family("normal");
  Rng rng(20261117, 13, Purpose::test);
  const auto weight = [&] { return Rational(static_cast<long>(1 + rng() % 99), 7); };
  LevelSum squares{"x", {}};
  squares.power = 2;
  LevelSum inside{"x", {}};
  inside.power = 0;
  for (const Currency currency : {Currency::pure, Currency::zcdp}) {
    const NoiseKind kind =
        currency == Currency::pure ? NoiseKind::discrete_laplace : NoiseKind::discrete_gaussian;
    for (std::uint32_t level = 0; level < 10; ++level) {
      Column column = number_column(normal, {-3, 6});
      column.outside = MapTo{level};
      const Schema schema({column});
      const Rational dear = currency == Currency::pure ? Rational(63) : Rational(1, 63);
      const Measurement all{{{LevelSum{"x", {}}, {kind, weight()}, 1},
                             {squares, {kind, weight()}, 1},
                             {inside, {kind, dear}, 1}}};
      SCOPED_TRACE(level);
      expect_brute_force(all, schema, currency);
    }
  }
  Column column = number_column(normal, {-3, 6});
  column.outside = MapTo{8};  // the value 5
  const Measurement known{{{LevelSum{"x", {}}, {NoiseKind::discrete_laplace, Rational(19, 7)}, 1},
                           {squares, {NoiseKind::discrete_laplace, Rational(10, 3)}, 1},
                           {inside, {NoiseKind::discrete_laplace, 63}, 1}}};
  EXPECT_EQ(cost(known, Schema({column}), policy_of(Adjacency::replace_one, Currency::pure)),
            Rational(3358, 21));
}

// A plan whose noise no document can hold is refused before anything is charged.
TEST(NumberCostValues, NoiseThatNoDocumentHoldsIsRefused) {
  const NumberFamily& normal = *find_number_family("normal");
  const Study fine = number_study(normal, {{-500'000, 500'000}});
  EXPECT_NO_THROW((void)make_noise_plan(fine, Mechanism::laplace, Spend::parse(Currency::pure, "0.001")));
  try {
    (void)make_noise_plan(fine, Mechanism::laplace, Spend::parse(Currency::pure, "0.000000001"));
    FAIL() << "planned";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_budget);
  }
}

// A parameter of too many digits gives way to a shorter one, against the owner, and only then.
TEST(NumberCostValues, NoiseOfTooManyDigitsIsWidenedALittle) {
  const Integer prime(
      "1000000000000000000000000000000000000000000000000000000000000000000000007");  // 73 digits
  for (const Rational& about :
       {Rational(1, 1'000'000'000), Rational(7, 3), Rational(Integer("1000000000000000000000"))}) {
    Rational odd = about * Rational(prime + 1, prime);
    odd.canonicalize();
    for (const NoiseKind kind : {NoiseKind::discrete_laplace, NoiseKind::discrete_gaussian}) {
      EXPECT_EQ(writable_noise({kind, about}).parameter, about);
      const Rational found = writable_noise({kind, odd}).parameter;
      EXPECT_LE(found.get_num().get_str().size(), kMostNoiseDigits);
      EXPECT_LE(found.get_den().get_str().size(), kMostNoiseDigits);
      const Rational change = found / odd - 1;
      EXPECT_TRUE(kind == NoiseKind::discrete_gaussian ? change > 0 : change < 0);
      EXPECT_LT(abs(change), Rational(1, Integer("100000000000000000000")));
    }
  }
}

// Every level of a binomial column costs the same.
TEST(NumberCostValues, OfAMirroredSumIsTheTrials) {
  const NumberFamily& binomial = *find_number_family("binomial");
  const Study study = number_study(binomial, {{0, 1'000'000}, Adjacency::add_remove});
  const auto plan = make_noise_plan(study, Mechanism::laplace, Spend::parse(Currency::pure, "1"));
  for (const Block& block : plan.measurement.blocks) EXPECT_EQ(block.noise.parameter, Rational(1, 1'000'000));
}

}  // namespace
}  // namespace postern::model
