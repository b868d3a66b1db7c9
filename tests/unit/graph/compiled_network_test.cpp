#include "postern/graph/compiled_network.hpp"

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/graph/query.hpp"

#include "random_network.hpp"

namespace postern::graph {
namespace {

/// "code: message" of the refusal, or "made".
std::string refusal(const Dag& dag, const Sizes& sizes, const NetworkQuestion& question, double most = 1e9,
                    const std::vector<std::string>& names = {}) {
  try {
    const CompiledNetwork network(dag, sizes, question, most, names);
  } catch (const Error& error) {
    return std::string(error_name(error.code())) + ": " + error.what();
  }
  return "made";
}

std::vector<std::vector<double>> logs_of(std::vector<std::vector<double>> tables) {
  for (auto& table : tables) {
    for (double& p : table) p = std::log(p);
  }
  return tables;
}

TEST(CompiledNetwork, AnswersWithOtherTablesAndOtherLevels) {
  Rng rng(1, 0, Purpose::test);
  for (int i = 0; i < 50; ++i) {
    testing::RandomNetwork network = testing::random_network(10, i % 2 == 0, rng);
    NetworkQuestion question;
    for (const Seen& seen : testing::random_evidence(network.sizes, rng))
      question.evidence.push_back(seen.variable);
    for (int t = 0; t < 3; ++t) question.targets.push_back(testing::random_target(network.sizes.size(), rng));
    const CompiledNetwork compiled(network.dag, network.sizes, question);
    CompiledNetwork::Workspace work = compiled.workspace();
    std::vector<double> out(compiled.offset(3));
    std::vector<double> again(compiled.offset(3));
    for (int run = 0; run < 5; ++run) {
      for (auto& table : network.values)
        std::ranges::rotate(table, table.end() - 1);  // no rows of sum 1: as weights
      for (std::uint32_t v = 0; v < network.sizes.size(); ++v) {
        for (std::size_t row = 0; row < network.values[v].size(); row += network.sizes[v]) {
          const std::span<double> cells = std::span(network.values[v]).subspan(row, network.sizes[v]);
          double sum = 0;
          for (const double p : cells) sum += p;
          for (double& p : cells) p = sum > 0 ? p / sum : 1.0 / network.sizes[v];
        }
      }
      Evidence evidence;
      std::vector<std::uint32_t> levels;
      for (const std::uint32_t v : question.evidence) {
        levels.push_back(static_cast<std::uint32_t>(draw_below(network.sizes[v], rng)));
        evidence.push_back({v, levels.back()});
      }
      const double log_evidence = compiled.run(network.tables(), levels, work, out);
      EXPECT_EQ(compiled.run_logs(as_tables(logs_of(network.values)), levels, work, again), log_evidence);
      const double probability = network.evidence_probability(evidence);
      if (probability == 0) {
        EXPECT_EQ(log_evidence, kMinusInfinity);
        continue;
      }
      EXPECT_NEAR(log_evidence, std::log(probability), 1e-12);
      EXPECT_EQ(out, again);
      for (std::size_t t = 0; t < 3; ++t) {
        const std::vector<double> wanted = network.joint(question.targets[t], evidence);
        for (std::size_t k = 0; k < wanted.size(); ++k)
          EXPECT_NEAR(out[compiled.offset(t) + k], wanted[k], 1e-12);
      }
    }
  }
}

TEST(CompiledNetwork, LeavesOutWhatDoesNotMatter) {
  // A chain 0 -> 1 -> ... -> 9; the tree of a question about 2 given 4 has no 5, 6, ..., and no 3 x 4.
  std::vector<Variables> parents(10);
  for (std::uint32_t v = 1; v < 10; ++v) parents[v] = {v - 1};
  const Dag dag(parents);
  const Sizes sizes(10, 3);
  EXPECT_EQ(CompiledNetwork(dag, sizes, {{{2}}, {4}, true}).forecast().cells, 27);
  // Given 1, what is before it does not matter, unless its probability is asked for.
  EXPECT_EQ(CompiledNetwork(dag, sizes, {{{2}}, {1}, true}).forecast().cells, 3 + 3);
  EXPECT_EQ(CompiledNetwork(dag, sizes, {{{2}}, {1}, false}).forecast().cells, 3);
}

TEST(CompiledNetwork, ManyFeaturesOfOneClassAreOneSmallTable) {
  const std::uint32_t features = 3000;
  std::vector<Variables> parents(features + 1);
  std::vector<std::vector<double>> tables{{0.5, 0.5}};
  Variables seen;
  for (std::uint32_t f = 1; f <= features; ++f) {
    parents[f] = {0};
    seen.push_back(f);
    // Alternately 10^-9 for either class: 10^-13500 together, yet even odds.
    tables.push_back(f % 2 == 0 ? std::vector<double>{1e-9, 1 - 1e-9, 0.5, 0.5}
                                : std::vector<double>{0.5, 0.5, 1e-9, 1 - 1e-9});
  }
  const CompiledNetwork compiled(Dag(parents), Sizes(features + 1, 2), {{{0}}, seen, true});
  EXPECT_EQ(compiled.forecast().cells, 2);
  CompiledNetwork::Workspace work = compiled.workspace();
  std::vector<double> out(2);
  const double wanted = features / 2 * (std::log(1e-9) + std::log(0.5));
  EXPECT_NEAR(compiled.run(as_tables(tables), std::vector<std::uint32_t>(features), work, out), wanted, 1e-7);
  EXPECT_NEAR(out[0], 0.5, 1e-9);
}

TEST(CompiledNetwork, DrawsGivenTheEvidence) {
  // n = 20,000, chi-square of the joint table of the rest at 1e-6; networks of at most 4 variables keep it
  // small.
  Rng rng(3, 0, Purpose::test);
  constexpr int draws = 20'000;
  int tried = 0;
  while (tried < 10) {
    const testing::RandomNetwork network = testing::random_network(4, tried % 2 == 0, rng);
    const Evidence evidence = testing::random_evidence(network.sizes, rng);
    if (network.evidence_probability(evidence) == 0) continue;
    ++tried;
    NetworkQuestion question;
    std::vector<std::uint32_t> levels;
    std::vector<std::uint32_t> state(network.sizes.size());
    for (const Seen& seen : evidence) {
      question.evidence.push_back(seen.variable);
      levels.push_back(seen.level);
      state[seen.variable] = seen.level;
    }
    Variables all;
    for (std::uint32_t v = 0; v < network.sizes.size(); ++v) all.push_back(v);
    question.targets = every_variable(all.size(), {}).targets;
    const CompiledNetwork compiled(network.dag, network.sizes, question);
    CompiledNetwork::Workspace work = compiled.workspace();
    std::vector<double> out(compiled.offset(all.size()));
    ASSERT_GT(compiled.run(network.tables(), levels, work, out), kMinusInfinity);
    const std::vector<double> wanted = network.joint(all, evidence);
    std::vector<double> counts(wanted.size());
    for (int k = 0; k < draws; ++k) {
      compiled.draw(work, state, rng);
      std::size_t cell = 0;
      for (const std::uint32_t v : all) cell = cell * network.sizes[v] + state[v];
      ++counts[cell];
    }
    double statistic = 0;
    int cells = 0;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      EXPECT_TRUE(wanted[k] > 0 || counts[k] == 0);
      if (wanted[k] * draws < 5) continue;
      ++cells;
      statistic += (counts[k] - draws * wanted[k]) * (counts[k] - draws * wanted[k]) / (draws * wanted[k]);
    }
    EXPECT_TRUE(cells < 2 || chi_square_tail(statistic, cells) > 1e-6) << statistic << " " << cells;
  }
}

TEST(CompiledNetwork, RefusesQuestionsThatAreNone) {
  const Dag dag({{}, {0}, {1}});
  const Sizes sizes{2, 3, 2};
  EXPECT_EQ(refusal(dag, sizes, {{{0, 3}}, {}, true}),
            "bad-value: a question names variable 3 of a network that has 3");
  EXPECT_EQ(refusal(dag, sizes, {{{0, 0}}, {}, true}).substr(0, 44),
            "bad-value: a question names a variable twice");
  EXPECT_EQ(refusal(dag, sizes, {{{0}}, {1, 1}, true}).substr(0, 44),
            "bad-value: a question names a variable twice");
  EXPECT_EQ(refusal(dag, {2, 3}, {{{0}}, {}, true}), "bad-value: a network needs one size for each variable");
  EXPECT_EQ(refusal(dag, {2, 0, 2}, {{{0}}, {}, true}),
            "bad-value: variable 1 has no levels; it needs one or more");
  EXPECT_EQ(refusal(dag, {2000, 3, 2000}, {{{0, 2}}, {}, true}, 1e6, {"age", "sex", "zip"}),
            "engine-limit: exact propagation on this network needs 192 MB, and may use 1 MB; its largest "
            "tables are "
            "age (2000) x sex (3) x zip (2000): take away edges or levels of these, or ask for less at once");
}

TEST(CompiledNetwork, RefusesTablesAndEvidenceThatDoNotFit) {
  const Dag dag({{}, {0}});
  const std::vector<std::vector<double>> tables{{0.5, 0.5}, {1, 0, 0, 1}};
  const CompiledNetwork network(dag, {2, 2}, {{{0}}, {1}, true});
  CompiledNetwork::Workspace work = network.workspace();
  std::vector<double> out(2);
  const auto run = [&](const std::vector<std::vector<double>>& values,
                       const std::vector<std::uint32_t>& levels) {
    return network.run(as_tables(values), levels, work, out);
  };
  EXPECT_NEAR(run(tables, {1}), std::log(0.5), 1e-15);
  EXPECT_EQ(out, (std::vector<double>{0, 1}));
  EXPECT_THROW(run(tables, {2}), Error);
  EXPECT_THROW(run(tables, {}), Error);
  EXPECT_THROW(run({{0.5, 0.5}, {1, 0}}, {1}), Error);
  EXPECT_THROW((void)posteriors(dag, {2, 2}, as_tables(tables), {{1, 0}, {1, 1}}), Error);
  EXPECT_THROW((void)posteriors(dag, {2, 2}, as_tables(tables), {{2, 0}}), Error);
  EXPECT_THROW((void)posteriors(dag, {2, 2}, as_tables(tables), {{1, 2}}), Error);
}

}  // namespace
}  // namespace postern::graph
