// Tables from noisy coefficients: hand-computed ones, and what holds for all of them.

#include <algorithm>

#include <gtest/gtest.h>

#include "postern/infer/network/fourier.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/statistic/fourier.hpp"
#include "postern/model/statistic/table.hpp"

#include "network_studies.hpp"

namespace postern::infer {
namespace {

using model::Adjacency;
using Records = std::vector<std::vector<std::uint32_t>>;

release::NoiseLaw some_law() { return release::DiscreteLaplace(0.5); }

/// A -> B, binary, with these coefficients of A, B and AB.
NetworkProblem two_nodes(std::int64_t n, double a, double b, double ab) {
  NetworkProblem problem;
  problem.sizes = {2, 2};
  problem.families = {{{0}, {1, 1}, {{}, {}}}, {{0, 1}, {1, 1, 1, 1}, {{}, {}, {}, {}}}};
  problem.total = KnownTotal{n};
  problem.coefficients = {
      {{0}, {1}, {a, some_law()}}, {{1}, {1}, {b, some_law()}}, {{0, 1}, {1, 1}, {ab, some_law()}}};
  return problem;
}

std::vector<double> cells(const FourierTable& table) {
  std::vector<double> out;
  for (std::size_t i = 0; i < table.numerators.size(); ++i) out.push_back(table.cell(i).get_d());
  return out;
}

TEST(NoisyCoefficients, OfTwoNodesGiveTheHandComputedTables) {
  const NoisyCoefficients exact(two_nodes(4, 0, -2, 2));
  EXPECT_EQ(cells(exact.tables()[1]), (std::vector<double>{1, 1, 0, 2}));
  EXPECT_EQ(exact.least_increment(), 0);
  EXPECT_EQ(exact.largest_shrinkage(), 1);

  const NoisyCoefficients noisy(two_nodes(4, 3, -3, 6));
  EXPECT_EQ(cells(noisy.tables()[1]), (std::vector<double>{2.5, 1, -2, 2.5}));
  EXPECT_EQ(cells(noisy.tables()[0]), (std::vector<double>{3.5, 0.5}));
  EXPECT_EQ(noisy.least_increment(), 8);
  EXPECT_EQ(cells(noisy.repaired(8, 1)[1]), (std::vector<double>{4.5, 3, 0, 4.5}));
  EXPECT_EQ(cells(noisy.repaired(8, 1)[0]), (std::vector<double>{7.5, 4.5}));
  EXPECT_EQ(noisy.largest_shrinkage(), Rational(1, 3));
  EXPECT_EQ(cells(noisy.repaired()[1]), (std::vector<double>{1.5, 1, 0, 1.5}));
  EXPECT_EQ(cells(noisy.repaired()[0]), (std::vector<double>{2.5, 1.5}));
}

TEST(NoisyCoefficients, OfATernaryColumnGiveItsCounts) {
  NetworkProblem problem;
  problem.sizes = {3};
  problem.families = {{{0}, {1, 1, 1}, {{}, {}, {}}}};
  problem.total = KnownTotal{4};
  problem.coefficients = {{{0}, {1}, {1, some_law()}}, {{0}, {2}, {1, some_law()}}};
  EXPECT_EQ(cells(NoisyCoefficients(problem).tables()[0]), (std::vector<double>{2, 1, 1}));
  problem.coefficients.pop_back();
  EXPECT_THROW((void)NoisyCoefficients(problem), Error);
}

/// The problem of a study's Fourier release of some records, with noise drawn in doubles, or none.
NetworkProblem problem_of(const model::Study& study, const Records& records, bool noise, Rng& rng) {
  const auto& net = study.model.get<model::BayesNet>();
  NetworkProblem problem;
  std::map<std::string, std::uint32_t> number;
  for (const model::BayesNode& node : net.nodes) {
    number[node.column] = static_cast<std::uint32_t>(problem.sizes.size());
    problem.sizes.push_back(study.schema.at(node.column).levels());
  }
  for (const model::BayesNode& node : net.nodes) {
    NetworkFamily& family = problem.families.emplace_back();
    for (const std::string& name : model::family_columns(node)) family.variables.push_back(number.at(name));
    family.alpha.assign(node.alpha.size(), 0.5);
    family.noisy_values.resize(node.alpha.size());
  }
  const auto n = static_cast<std::int64_t>(records.size());
  if (study.privacy.adjacency == Adjacency::replace_one) {
    problem.total = KnownTotal{n};
  } else {
    problem.total = LatentTotal{1000};
  }
  const model::NoisePlan plan =
      make_noise_plan(study, model::Mechanism::fourier, Spend::parse(Currency::pure, "5"));
  for (const model::Block& block : plan.measurement.blocks) {
    const model::StatisticKind& kind = block.statistic.kind();
    const auto tally = kind.tally(block.statistic, study.schema);
    for (const auto& record : records) {
      std::vector<std::uint32_t> levels;
      for (const std::string& name : kind.columns(block.statistic)) levels.push_back(record[number.at(name)]);
      tally->add(levels, 1);
    }
    release::MeasuredBlock measured{block, tally->values()};
    for (Int128& value : measured.values) {
      if (noise) value += release::simulate(release::noise_law(block.noise), rng);
    }
    EXPECT_TRUE(add_coefficients(problem, measured, study.schema, number));
  }
  return problem;
}

Records random_records(const model::Study& study, std::size_t n, Rng& rng) {
  Records out(n);
  for (auto& record : out) {
    for (const model::Column& column : study.schema.columns())
      record.push_back(static_cast<std::uint32_t>(rng() % column.levels()));
  }
  return out;
}

/// The margin of a family's table on some of its variables.
std::vector<Rational> margin(const NetworkProblem& problem, std::size_t family, const FourierTable& table,
                             const std::vector<std::uint32_t>& on) {
  const std::vector<std::uint32_t>& variables = problem.families[family].variables;
  std::size_t cells_on = 1;
  for (const std::uint32_t v : on) cells_on *= problem.sizes[v];
  std::vector<Rational> out(cells_on, 0);
  for (std::size_t cell = 0; cell < table.numerators.size(); ++cell) {
    std::map<std::uint32_t, std::size_t> level;
    std::size_t rest = cell;
    for (std::size_t i = variables.size(); i-- > 0;) {
      level[variables[i]] = rest % problem.sizes[variables[i]];
      rest /= problem.sizes[variables[i]];
    }
    std::size_t at = 0;
    for (const std::uint32_t v : on) at = at * problem.sizes[v] + level[v];
    out[at] += table.cell(cell);
  }
  return out;
}

void expect_agreement(const NetworkProblem& problem, const std::vector<FourierTable>& tables) {
  for (std::size_t f = 0; f < tables.size(); ++f) {
    for (std::size_t g = 0; g < f; ++g) {
      std::vector<std::uint32_t> shared;
      for (const std::uint32_t v : problem.families[f].variables) {
        const auto& other = problem.families[g].variables;
        if (std::find(other.begin(), other.end(), v) != other.end()) shared.push_back(v);
      }
      EXPECT_EQ(margin(problem, f, tables[f], shared), margin(problem, g, tables[g], shared));
    }
  }
}

TEST(NoisyCoefficients, WithoutNoiseGiveTheCountsOfRandomNetworks) {
  Rng rng(20261123, 0, Purpose::test);
  for (int trial = 0; trial < 25; ++trial) {
    const model::Study study = model::random_network_study(
        5, 4, trial % 2 == 0 ? Adjacency::replace_one : Adjacency::add_remove, Currency::pure, rng);
    const Records records = random_records(study, 30, rng);
    const NetworkProblem problem = problem_of(study, records, false, rng);
    const NoisyCoefficients coefficients(problem);
    EXPECT_EQ(coefficients.total(), 30);
    EXPECT_EQ(coefficients.least_increment(), 0);
    const std::vector<FourierTable> tables = coefficients.repaired();
    for (std::size_t f = 0; f < tables.size(); ++f) {
      std::vector<double> counts(tables[f].numerators.size(), 0);
      for (const auto& record : records) {
        std::size_t cell = 0;
        for (const std::uint32_t v : problem.families[f].variables)
          cell = cell * problem.sizes[v] + record[v];
        ++counts[cell];
      }
      EXPECT_EQ(cells(tables[f]), counts);
    }
  }
}

TEST(NoisyCoefficients, AreRepairedExactly) {
  Rng rng(20261124, 0, Purpose::test);
  for (int trial = 0; trial < 25; ++trial) {
    const bool known = trial % 2 == 0;
    const model::Study study = model::random_network_study(
        5, 4, known ? Adjacency::replace_one : Adjacency::add_remove, Currency::pure, rng);
    const NetworkProblem problem = problem_of(study, random_records(study, 10, rng), true, rng);
    const NoisyCoefficients coefficients(problem);
    expect_agreement(problem, coefficients.tables());
    const Rational increment = coefficients.least_increment();
    if (known) {
      EXPECT_EQ(increment == 0, coefficients.largest_shrinkage() == 1);
    }
    const std::vector<FourierTable> tables = coefficients.repaired();
    expect_agreement(problem, tables);
    bool touches = false;
    for (const FourierTable& table : tables) {
      Rational sum = 0;
      for (std::size_t i = 0; i < table.numerators.size(); ++i) {
        EXPECT_GE(table.cell(i), 0);
        touches = touches || table.cell(i) == 0;
        sum += table.cell(i);
      }
      EXPECT_EQ(sum, known ? Rational(10) : Rational(coefficients.total() + increment));
    }
    EXPECT_TRUE(increment == 0 || touches);  // the least is least
  }
}

}  // namespace
}  // namespace postern::infer
