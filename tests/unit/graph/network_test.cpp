#include "postern/graph/network.hpp"

#include <gtest/gtest.h>

#include "postern/core/error.hpp"

#include "random_network.hpp"

namespace postern::graph {
namespace {

TEST(Network, RecordsFollowTheirTables) {
  // n = 20,000 records, chi-square of the joint table at 1e-6.
  Rng rng(1, 0, Purpose::test);
  constexpr int draws = 20'000;
  for (int i = 0; i < 10; ++i) {
    const testing::RandomNetwork network = testing::random_network(5, i % 2 == 0, rng);
    Variables all;
    for (std::uint32_t v = 0; v < network.sizes.size(); ++v) all.push_back(v);
    const std::vector<double> wanted = network.joint(all, {});
    std::vector<double> counts(wanted.size());
    std::vector<std::uint32_t> state(all.size());
    for (int k = 0; k < draws; ++k) {
      draw_record(network.dag, network.sizes, network.tables(), state, rng);
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

TEST(Network, SplitsFlatTables) {
  const Dag dag(std::vector<Variables>{{1}, {}});
  const Sizes sizes{3, 2};
  const std::vector<double> flat{0, 0, 1, 1, 0, 0, 0.5, 0.5};
  const auto tables = split_tables(dag, sizes, flat);
  EXPECT_EQ(tables[0].size(), 6U);
  EXPECT_EQ(tables[1][0], 0.5);
  EXPECT_EQ(log_probability(dag, sizes, tables, std::vector<std::uint32_t>{2, 0}), std::log(0.5));
  EXPECT_EQ(log_probability(dag, sizes, tables, std::vector<std::uint32_t>{2, 1}), kMinusInfinity);
  EXPECT_THROW((void)split_tables(dag, sizes, std::span(flat).first(7)), Error);
  EXPECT_THROW((void)split_tables(dag, Sizes{3, 1}, flat), Error);
}

TEST(Network, RefusesTablesThatAreNone) {
  const Dag dag({{}, {0}});
  const auto refusal = [&](const std::vector<std::vector<double>>& tables) -> std::string {
    try {
      check_tables(dag, Sizes{2, 2}, as_tables(tables));
    } catch (const Error& error) {
      return error.what();
    }
    return "good";
  };
  EXPECT_EQ(refusal({{0.5, 0.5}, {1, 0, 0, 1}}), "good");
  EXPECT_EQ(refusal({{0.5, 0.5}, {1, 0, 0.5, 0.4}}), "row 1 of the table of variable 1 does not sum to 1");
  EXPECT_EQ(refusal({{1.5, -0.5}, {1, 0, 0, 1}}),
            "row 0 of the table of variable 0 holds what is no probability");
  EXPECT_EQ(refusal({{std::nan(""), 1}, {1, 0, 0, 1}}),
            "row 0 of the table of variable 0 holds what is no probability");
  EXPECT_EQ(refusal({{0.5, 0.5}, {1, 0}}),
            "the table of variable 1 has 2 numbers, not one for each cell of its family");
  EXPECT_EQ(refusal({{0.5, 0.5}}), "a network needs one size and one table for each variable");
}

}  // namespace
}  // namespace postern::graph
