// Laws as factors over cliques, and the files that hold them.

#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/graph/conditional_tables.hpp"
#include "postern/graph/uai.hpp"
#include "postern/model/kinds/markov_net.hpp"

#include "markov/clique_factors.hpp"
#include "markov_studies.hpp"

namespace postern::infer::markov {
namespace {

using graph::Variables;

model::MarkovNet net_of(const graph::Sizes& levels, const std::vector<Variables>& cliques) {
  return model::markov_study(levels, cliques).model.get<model::MarkovNet>();
}

/// The law of these tables along the network's junction tree.
ConditionalLaw law_of(const model::MarkovNet& net, std::vector<double> tables) {
  ConditionalLaw out{model::junction_tree(net), {}, std::move(tables)};
  const graph::Dag dag = model::dag_of(model::directed(net));
  for (std::uint32_t v = 0; v < net.columns.size(); ++v) out.families.push_back(dag.family(v));
  return out;
}

/// Rows from a Dirichlet law, which no loop of pairs has.
ConditionalLaw any_law(const model::MarkovNet& net, Rng& rng) {
  ConditionalLaw out = law_of(net, {});
  for (const Variables& family : out.families) {
    const std::uint32_t levels = net.levels[family.back()];
    std::vector<double> row(levels);
    const auto rows = static_cast<std::size_t>(graph::cells_of(family, net.levels)) / levels;
    for (std::size_t r = 0; r < rows; ++r) {
      draw_dirichlet(std::vector<double>(levels, 1.0), row, rng);
      out.tables.insert(out.tables.end(), row.begin(), row.end());
    }
  }
  return out;
}

/// A law of the network itself.
ConditionalLaw own_law(const model::MarkovNet& net, double sd, Rng& rng) {
  std::vector<double> theta;
  for (const Variables& clique : net.cliques) {
    const auto cells = static_cast<std::size_t>(graph::cells_of(clique, net.levels));
    for (std::size_t i = 0; i < cells; ++i) theta.push_back(sd * draw_normal(rng));
  }
  return law_of(net, model::conditional_tables(net, theta));
}

std::vector<double> cells_of_law(const ConditionalLaw& law, const std::vector<Variables>& cliques) {
  const graph::ConditionalTables tables(law.tree, law.families, {}, cliques);
  graph::ConditionalTables::Workspace work = tables.workspace();
  std::vector<double> logs;
  for (const double p : law.tables) logs.push_back(std::log(p));
  std::vector<double> out(tables.cells());
  tables.read(logs, work, out);
  return out;
}

/// Written as UAI, read back, and asked for the cells of its cliques.
void expect_same(const CliqueFactors& factors, const ConditionalLaw& law, double within) {
  graph::UaiNetwork written{graph::UaiNetwork::Kind::markov, law.tree.sizes(), {}};
  for (std::size_t c = 0; c < factors.cliques.size(); ++c) {
    std::vector<double> weights;
    for (const double log : factors.logs[c]) weights.push_back(std::exp(log));
    written.tables.push_back({factors.cliques[c], weights});
  }
  const graph::UaiNetwork read = graph::parse_uai(graph::write_uai(written));
  EXPECT_EQ(read, written);
  const graph::UaiAnswer answer = graph::uai_marginals(read, {});
  EXPECT_NEAR(answer.log_partition, 0, within);  // no constant is left out
  std::vector<Variables> alone;
  for (std::uint32_t v = 0; v < law.tree.sizes().size(); ++v) alone.push_back({v});
  const std::vector<double> wanted = cells_of_law(law, alone);
  std::size_t i = 0;
  for (const std::vector<double>& marginal : answer.marginals) {
    for (const double p : marginal) EXPECT_NEAR(p, wanted[i++], within);
  }
  const std::vector<double> cells = cells_of_law(law, factors.cliques);
  std::size_t k = 0;
  for (const std::vector<double>& table : factors.probabilities) {
    for (const double p : table) EXPECT_NEAR(p, cells[k++], within);
  }
}

const std::vector<Variables> kLoop{{0, 1}, {1, 2}, {2, 3}, {0, 3}};

TEST(CliqueFactors, OfADecomposableNetworkMultiplyToItsLaw) {
  Rng rng(1, 0, Purpose::draws);
  for (const std::vector<Variables>& cliques :
       {std::vector<Variables>{{0, 1}, {1, 2}, {2, 3}}, std::vector<Variables>{{0, 1, 2}, {1, 2, 3}},
        std::vector<Variables>{{0, 1}, {2, 3}}, std::vector<Variables>{{0}, {1}, {2}, {3}}}) {
    const model::MarkovNet net = net_of({2, 3, 1, 4}, cliques);
    const ConditionalLaw law = any_law(net, rng);
    expect_same(conditional_factors(law, cliques), law, 1e-12);
  }
}

TEST(CliqueFactors, OfALoopHaveItsOwnForm) {
  Rng rng(2, 0, Purpose::draws);
  const std::vector<Variables> pairs{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  for (const std::vector<Variables>& cliques : {kLoop, pairs}) {
    for (const double sd : {0.3, 3.0}) {
      const model::MarkovNet net = net_of({2, 3, 4, 2}, cliques);
      const ConditionalLaw law = own_law(net, sd, rng);
      const auto factors = matching_factors(law, cliques);
      ASSERT_TRUE(factors);
      expect_same(*factors, law, 1e-10);
    }
  }
}

TEST(CliqueFactors, MatchTheCellsOfALawThatNoLoopHas) {
  Rng rng(3, 0, Purpose::draws);
  const model::MarkovNet net = net_of({3, 2, 3, 2}, kLoop);
  for (int i = 0; i < 10; ++i) {
    const ConditionalLaw law = any_law(net, rng);
    const auto factors = matching_factors(law, kLoop);
    ASSERT_TRUE(factors);
    expect_same(*factors, law, 1e-10);
  }
}

TEST(CliqueFactors, KeepCellsThatCannotBe) {
  const model::MarkovNet net = net_of({2, 2, 2}, {{0, 1}, {1, 2}, {0, 2}});
  Rng rng(4, 0, Purpose::draws);
  ConditionalLaw law = any_law(net, rng);
  for (std::size_t v = 0, at = 0; v < law.families.size(); ++v) {
    const auto cells = static_cast<std::size_t>(graph::cells_of(law.families[v], net.levels));
    if (law.families[v].size() == 2) law.tables[at] = 0, law.tables[at + 1] = 1;
    at += cells;
  }
  const auto factors = matching_factors(law, net.cliques);
  ASSERT_TRUE(factors);
  expect_same(*factors, law, 1e-10);
}

}  // namespace
}  // namespace postern::infer::markov
