#include "postern/graph/dag.hpp"

#include <gtest/gtest.h>

#include "postern/core/error.hpp"

#include "random_network.hpp"

namespace postern::graph {
namespace {

std::string refusal(std::vector<Variables> parents, const std::vector<std::string>& names = {}) {
  try {
    const Dag dag(std::move(parents), names);
  } catch (const Error& error) {
    return error.what();
  }
  return "made";
}

TEST(Dag, OrdersParentsBeforeChildren) {
  const Dag dag({{2}, {}, {1}, {0, 1}});
  EXPECT_EQ(dag.order(), (Variables{1, 2, 0, 3}));
  EXPECT_EQ(dag.children(1), (Variables{2, 3}));
  EXPECT_EQ(dag.family(3), (Variables{0, 1, 3}));
  EXPECT_EQ(Dag().size(), 0U);
}

TEST(Dag, OrdersRandomNetworks) {
  Rng rng(1, 0, Purpose::test);
  for (int i = 0; i < 100; ++i) {
    const Dag dag = testing::random_network(12, false, rng).dag;
    ASSERT_EQ(sorted(dag.order()).size(), dag.size());
    std::vector<bool> seen(dag.size());
    for (const std::uint32_t v : dag.order()) {
      for (const std::uint32_t p : dag.parents(v)) EXPECT_TRUE(seen[p]);
      seen[v] = true;
    }
  }
}

TEST(Dag, RefusesCyclesByName) {
  EXPECT_EQ(refusal({{1}, {2}, {0}}, {"a", "b", "c"}),
            "the network has a cycle: 'c' -> 'b' -> 'a' -> 'c'; remove or turn one of these edges");
  EXPECT_EQ(refusal({{}, {1}}), "the network has a cycle: 1 -> 1; remove or turn one of these edges");
  // The tail that leads to a cycle is no part of it.
  EXPECT_EQ(refusal({{1}, {2}, {1}}),
            "the network has a cycle: 2 -> 1 -> 2; remove or turn one of these edges");
}

TEST(Dag, RefusesParentsThatAreNone) {
  EXPECT_EQ(refusal({{3}, {}}, {"a", "b"}), "a parent of 'a' is variable 3, but there are only 2");
  EXPECT_EQ(refusal({{1, 1}, {}}, {"a", "b"}), "'b' is a parent of 'a' twice; name it once");
}

TEST(Dag, CyclesAreCycles) {
  Rng rng(2, 0, Purpose::test);
  int found = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<Variables> parents(8);
    for (std::uint32_t v = 0; v < 8; ++v) {
      for (std::uint32_t p = 0; p < 8; ++p) {
        if (rng.uniform() < 0.12) parents[v].push_back(p);
      }
    }
    const auto cycle = find_cycle(parents);
    if (!cycle) {
      EXPECT_EQ(Dag(parents).order().size(), 8U);
      continue;
    }
    ++found;
    for (std::size_t k = 0; k < cycle->size(); ++k) {
      const Variables& next = parents[(*cycle)[(k + 1) % cycle->size()]];
      EXPECT_NE(std::ranges::find(next, (*cycle)[k]), next.end());
    }
  }
  EXPECT_GT(found, 50);
}

TEST(Dag, MarriesParents) {
  const Dag dag({{}, {}, {0, 1}, {2}});
  const UndirectedGraph moral = dag.moral();
  EXPECT_TRUE(moral.connected(0, 1));
  EXPECT_TRUE(moral.connected(3, 2));
  EXPECT_FALSE(moral.connected(0, 3));
  EXPECT_EQ(moral.neighbours(2), (Variables{0, 1, 3}));
}

TEST(Dag, FindsAncestors) {
  const Dag dag({{}, {0}, {1}, {0}, {}});
  EXPECT_EQ(dag.ancestral(Variables{2}), (std::vector<bool>{true, true, true, false, false}));
}

TEST(UndirectedGraph, NumbersComponentsByTheirLeastVariables) {
  UndirectedGraph graph(130);
  graph.connect(0, 129);
  graph.connect(129, 64);
  graph.connect(1, 1);
  const auto components = graph.components();
  EXPECT_EQ(components[64], 0U);
  EXPECT_EQ(components[1], 1U);
  EXPECT_EQ(components[128], 127U);
  EXPECT_TRUE(graph.neighbours(1).empty());
}

}  // namespace
}  // namespace postern::graph
