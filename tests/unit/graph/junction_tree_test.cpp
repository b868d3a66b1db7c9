#include "postern/graph/junction_tree.hpp"

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"

#include "random_network.hpp"

namespace postern::graph {
namespace {

UndirectedGraph random_graph(std::size_t size, double density, Rng& rng) {
  UndirectedGraph graph(size);
  for (std::uint32_t a = 0; a < size; ++a) {
    for (std::uint32_t b = 0; b < a; ++b) {
      if (rng.uniform() < density) graph.connect(a, b);
    }
  }
  return graph;
}

Sizes random_sizes(std::size_t count, Rng& rng) {
  Sizes sizes(count);
  for (std::uint32_t& size : sizes) size = 1 + static_cast<std::uint32_t>(draw_below(4, rng));
  return sizes;
}

TEST(Elimination, EveryGreedyOneCoversTheGraphWithMaximalCliques) {
  Rng rng(1, 0, Purpose::test);
  for (int i = 0; i < 100; ++i) {
    const UndirectedGraph graph = random_graph(1 + draw_below(70, rng), 0.1, rng);
    const Sizes sizes = random_sizes(graph.size(), rng);
    for (const Greedy greedy : kGreedy) {
      const Elimination made = eliminate(graph, sizes, greedy);
      ASSERT_EQ(sorted(made.order).size(), graph.size());
      double cells = 0;
      for (const Variables& clique : made.cliques) {
        cells += cells_of(clique, sizes);
        for (const Variables& other : made.cliques) EXPECT_TRUE(&clique == &other || !holds(other, clique));
      }
      EXPECT_EQ(made.cells, cells);
      EXPECT_GE(made.cells, cheapest_elimination(graph, sizes).cells);
    }
  }
}

TEST(Elimination, ATreeNeedsItsEdgesAlone) {
  UndirectedGraph graph(6);
  for (std::uint32_t v = 1; v < 6; ++v) graph.connect(v, (v - 1) / 2);
  const Sizes sizes{2, 3, 4, 5, 6, 7};
  EXPECT_EQ(cheapest_elimination(graph, sizes).cells, 2 * 3 + 2 * 4 + 3 * 5 + 3 * 6 + 4 * 7);
}

TEST(Elimination, TheCheapestIsTheSameEachTime) {
  Rng rng(2, 0, Purpose::test);
  const UndirectedGraph graph = random_graph(60, 0.15, rng);
  const Sizes sizes(60, 3);
  const Elimination once = cheapest_elimination(graph, sizes);
  EXPECT_GT(once.cells, 1e6);  // large enough for other ways to break ties
  EXPECT_EQ(once.order, cheapest_elimination(graph, sizes).order);
}

TEST(Forecast, NamesTheLargestCliquesBeforeAnythingIsAllocated) {
  UndirectedGraph graph(104);
  Variables all;
  for (std::uint32_t v = 0; v < 100; ++v) all.push_back(v);
  graph.connect_all(all);
  graph.connect(101, 102);
  const Sizes sizes(104, 10);
  const Forecast what = forecast(cheapest_elimination(graph, sizes), sizes);
  EXPECT_NEAR(what.cells / 1e100, 1, 1e-12);
  EXPECT_EQ(what.bytes, 16 * what.cells);
  ASSERT_EQ(what.largest.size(), 3U);
  EXPECT_EQ(what.largest[0], all);
  EXPECT_EQ(what.largest[1], (Variables{101, 102}));
  try {
    check_forecast(what, 1e9, sizes, std::vector<std::string>{"age", "income"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::engine_limit);
    EXPECT_EQ(
        std::string(error.what()).substr(0, 160),
        "exact propagation on this network needs more than 10^21 bytes, and may use 1000 MB; its largest "
        "tables are age (10) x income (10) x variable 2 (10) x variable 3");
  }
  EXPECT_NO_THROW(check_forecast({10, 160, {}}, 160, sizes));
}

TEST(JunctionTree, CliquesOfAVariableAreConnected) {
  Rng rng(3, 0, Purpose::test);
  for (int i = 0; i < 200; ++i) {
    const UndirectedGraph graph = random_graph(1 + draw_below(30, rng), rng.uniform() * 0.3, rng);
    const Sizes sizes = random_sizes(graph.size(), rng);
    const JunctionTree tree(graph, sizes);
    std::vector<int> tops(graph.size());
    for (std::size_t c = 0; c < tree.size(); ++c) {
      EXPECT_TRUE(std::ranges::is_sorted(tree.clique(c)));
      EXPECT_EQ(tree.parent(c) == JunctionTree::kNone, c == 0);
      Variables shared;
      if (c > 0) {
        ASSERT_LT(tree.parent(c), c);
        std::ranges::set_intersection(tree.clique(c), tree.clique(tree.parent(c)),
                                      std::back_inserter(shared));
        const auto& siblings = tree.children(tree.parent(c));
        EXPECT_EQ(std::ranges::count(siblings, c), 1);
      }
      EXPECT_EQ(tree.separator(c), shared);
      // A variable enters the tree once on the way down.
      for (const std::uint32_t v : tree.clique(c)) tops[v] += std::ranges::binary_search(shared, v) ? 0 : 1;
    }
    EXPECT_EQ(tops, std::vector<int>(graph.size(), 1));
    for (std::uint32_t a = 0; a < graph.size(); ++a) {
      for (const std::uint32_t b : graph.neighbours(a)) EXPECT_TRUE(tree.home(Variables{a, b}));
    }
  }
}

TEST(JunctionTree, PartsThatAreNotConnectedMeetAtEmptySeparators) {
  UndirectedGraph graph(5);
  graph.connect(0, 1);
  graph.connect(2, 3);
  const JunctionTree tree(graph, {2, 2, 3, 3, 1});
  ASSERT_EQ(tree.size(), 3U);
  EXPECT_EQ(tree.clique(0), (Variables{2, 3}));
  EXPECT_TRUE(tree.separator(1).empty());
  EXPECT_TRUE(tree.separator(2).empty());
  EXPECT_EQ(tree.cells(), 9 + 4 + 1);
}

TEST(JunctionTree, FindsHomesAndRoots) {
  UndirectedGraph graph(4);
  for (std::uint32_t v = 1; v < 4; ++v) graph.connect(v - 1, v);
  const Sizes sizes{5, 2, 2, 9};
  const JunctionTree tree(graph, sizes, Variables{1});
  EXPECT_EQ(tree.clique(0), (Variables{1, 2}));
  EXPECT_EQ(tree.clique(*tree.home(Variables{3, 2})), (Variables{2, 3}));
  EXPECT_EQ(tree.home(Variables{2}), std::size_t{0});
  EXPECT_FALSE(tree.home(Variables{0, 3}));
  EXPECT_FALSE(tree.home(Variables{4}));
  EXPECT_EQ(tree.home(Variables{}), std::size_t{0});
}

TEST(JunctionTree, NoVariablesAreOneEmptyClique) {
  const JunctionTree tree(UndirectedGraph(0), {});
  ASSERT_EQ(tree.size(), 1U);
  EXPECT_TRUE(tree.clique(0).empty());
  EXPECT_EQ(tree.cells(), 1);
}

}  // namespace
}  // namespace postern::graph
