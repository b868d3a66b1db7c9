#include "postern/model/measurement.hpp"

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/core/rng.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/statistic/table.hpp"

namespace postern::model {
namespace {

using Record = std::vector<std::uint32_t>;  // one level per column of the schema

Schema random_schema(Rng& rng) {
  std::vector<Column> columns;
  const std::size_t count = 1 + rng() % 3;
  for (std::size_t i = 0; i < count; ++i) {
    Column column;
    column.name = std::string(1, static_cast<char>('a' + i));
    Categories categories;
    const std::size_t levels = 1 + rng() % 3;
    for (std::size_t level = 0; level < levels; ++level) categories.labels.push_back(std::to_string(level));
    column.values = categories;
    column.outside = MapTo{0};
    columns.push_back(column);
  }
  return Schema(columns);
}

std::vector<Record> all_records(const Schema& schema) {
  std::vector<std::string> names;
  for (const Column& column : schema.columns()) names.push_back(column.name);
  const graph::Domain domain = schema.domain(names);
  std::vector<Record> records;
  for (std::size_t cell = 0; cell < domain.cells(); ++cell) records.push_back(domain.levels_of(cell));
  return records;
}

Measurement random_measurement(const Schema& schema, NoiseKind kind, Rng& rng) {
  Measurement measurement;
  const std::size_t blocks = 1 + rng() % 4;
  for (std::size_t b = 0; b < blocks; ++b) {
    Noise noise{kind, Rational(static_cast<long>(1 + rng() % 9), static_cast<long>(1 + rng() % 9))};
    noise.parameter.canonicalize();
    if (rng() % 2 == 0) {
      Table table;
      for (const Column& column : schema.columns()) {
        if (table.columns.empty() || rng() % 2 == 0) table.columns.push_back(column.name);
      }
      measurement.blocks.push_back({table, noise, statistic_size(table, schema)});
    } else {
      const Column& column = schema.columns()[rng() % schema.columns().size()];
      measurement.blocks.push_back(
          {LevelCount{column.name, static_cast<std::uint32_t>(rng() % column.levels())}, noise, 1});
    }
  }
  return measurement;
}

/// The contribution of one record to every coordinate of a block, from the definition.
std::vector<std::int64_t> contribution(const Record& record, const Statistic& statistic,
                                       const Schema& schema) {
  if (const auto* count = statistic.as<LevelCount>()) {
    return {record[*schema.find(count->column)] == count->level ? 1 : 0};
  }
  const auto& table = statistic.get<Table>();
  std::size_t cell = 0;
  for (const std::string& name : table.columns)
    cell = cell * schema.at(name).levels() + record[*schema.find(name)];
  std::vector<std::int64_t> cells(schema.domain(table.columns).cells());
  cells[cell] = 1;
  return cells;
}

/// sum_j lambda_j |D_j| or sum_j D_j^2 / (2 sigma_j^2) for the change from the records `before` to `after`.
Rational loss(const std::vector<Record>& before, const std::vector<Record>& after,
              const Measurement& measurement, const Schema& schema, Currency currency) {
  Rational total = 0;
  for (const Block& block : measurement.blocks) {
    std::vector<std::int64_t> change(block.size);
    for (const Record& record : after) {
      const auto c = contribution(record, block.statistic, schema);
      for (std::size_t j = 0; j < change.size(); ++j) change[j] += c[j];
    }
    for (const Record& record : before) {
      const auto c = contribution(record, block.statistic, schema);
      for (std::size_t j = 0; j < change.size(); ++j) change[j] -= c[j];
    }
    for (const std::int64_t d : change) {
      if (currency == Currency::pure) {
        total += block.noise.parameter * Rational(std::abs(d));
      } else {
        total += Rational(d * d) / (2 * block.noise.parameter);
      }
    }
  }
  return total;
}

// Every pair of neighbours on random small schemas: the formula is the exact maximum, neither loose nor
// short.
TEST(Cost, EqualsBruteForceOverAllNeighbours) {
  Rng rng(20261115, 0, Purpose::test);
  for (int trial = 0; trial < 400; ++trial) {
    const Schema schema = random_schema(rng);
    const Currency currency = trial % 2 == 0 ? Currency::pure : Currency::zcdp;
    const NoiseKind kind =
        currency == Currency::pure ? NoiseKind::discrete_laplace : NoiseKind::discrete_gaussian;
    const Measurement measurement = random_measurement(schema, kind, rng);
    const std::vector<Record> records = all_records(schema);
    Rational add = 0;
    Rational add_two = 0;
    Rational replace = 0;
    for (const Record& x : records) {
      add = std::max(add, loss({}, {x}, measurement, schema, currency));
      for (const Record& y : records) {
        replace = std::max(replace, loss({x}, {y}, measurement, schema, currency));
        add_two = std::max(add_two, loss({}, {x, y}, measurement, schema, currency));
      }
    }
    PrivacyPolicy policy;
    policy.currency = currency;
    policy.adjacency = Adjacency::replace_one;
    EXPECT_EQ(cost(measurement, schema, policy), replace) << "trial " << trial;
    policy.adjacency = Adjacency::add_remove;
    EXPECT_EQ(cost(measurement, schema, policy), add) << "trial " << trial;
    policy.unit = PersonUnit{"id", 2};
    EXPECT_EQ(cost(measurement, schema, policy), add_two) << "trial " << trial;
  }
}

Study coin(Adjacency adjacency, Currency currency) {
  Study study;
  study.name = "coin";
  study.dataset = "coins";
  study.privacy.adjacency = adjacency;
  study.privacy.currency = currency;
  if (adjacency == Adjacency::add_remove) study.privacy.n_at_most = 1000;
  Column column;
  column.name = "side";
  column.values = Categories{{"tails", "heads"}};
  column.outside = MapTo{0};
  study.schema = Schema({column});
  study.model = Bernoulli{"side", 1, 1, 1};
  return study;
}

TEST(Plan, SpendsExactlyTheBudget) {
  for (const char* amount : {"1", "0.1", "0.000000001", "123.456"}) {
    for (const Adjacency adjacency : {Adjacency::replace_one, Adjacency::add_remove}) {
      for (const Currency currency : {Currency::pure, Currency::zcdp}) {
        const Study study = coin(adjacency, currency);
        const Spend budget = Spend::parse(currency, amount);
        const NoisePlan plan = make_noise_plan(study, default_mechanism(study), budget);
        EXPECT_EQ(plan.cost, budget);
        EXPECT_EQ(cost(plan.measurement, study.schema, study.privacy), budget.exact());
      }
    }
  }
}

TEST(Plan, NeedsOneCountWhenNIsPublicAndTwoWhenItIsPrivate) {
  const auto plan = make_noise_plan(coin(Adjacency::replace_one, Currency::pure), Mechanism::laplace,
                                    Spend::parse(Currency::pure, "0.1"));
  ASSERT_EQ(plan.measurement.blocks.size(), 1u);
  EXPECT_EQ(plan.measurement.blocks[0].size, 1u);
  EXPECT_EQ(plan.measurement.blocks[0].noise.parameter, Rational(1, 10));
  const auto hidden = make_noise_plan(coin(Adjacency::add_remove, Currency::pure), Mechanism::laplace,
                                      Spend::parse(Currency::pure, "0.1"));
  EXPECT_EQ(hidden.measurement.blocks[0].size, 2u);
  EXPECT_EQ(hidden.measurement.blocks[0].noise.parameter, Rational(1, 10));
}

TEST(Plan, RefusesTheWrongCurrencyOrMechanism) {
  const Study study = coin(Adjacency::replace_one, Currency::pure);
  const auto code_of = [&](Mechanism mechanism, Spend budget) {
    try {
      (void)make_noise_plan(study, mechanism, budget);
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::internal;
  };
  EXPECT_EQ(code_of(Mechanism::laplace, Spend::parse(Currency::zcdp, "1")), ErrorCode::currency_mismatch);
  EXPECT_EQ(code_of(Mechanism::gaussian, Spend::parse(Currency::pure, "1")), ErrorCode::currency_mismatch);
  EXPECT_EQ(code_of(Mechanism::laplace, Spend(Currency::pure, 0)), ErrorCode::bad_budget);
}

}  // namespace
}  // namespace postern::model
