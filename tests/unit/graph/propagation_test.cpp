// Products of random factors over random scopes, which are no network's, against the product table itself.

#include "postern/graph/propagation.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"
#include "postern/graph/factor.hpp"

namespace postern::graph {
namespace {

constexpr double kClose = 1e-11;

struct RandomProduct {
  Sizes sizes;
  std::vector<Variables> scopes;
  std::vector<double> logs;
  UndirectedGraph graph;
  Factor table;  ///< over all variables in their order
};

RandomProduct random_product(Rng& rng) {
  RandomProduct out;
  const std::size_t count = 1 + draw_below(7, rng);
  Variables all;
  for (std::uint32_t v = 0; v < count; ++v) {
    out.sizes.push_back(1 + static_cast<std::uint32_t>(draw_below(4, rng)));
    all.push_back(v);
  }
  out.graph = UndirectedGraph(count);
  std::size_t cells = static_cast<std::size_t>(cells_of(all, out.sizes));
  out.table = Factor(all, out.sizes, std::vector<double>(cells));
  const std::size_t factors = draw_below(8, rng);
  const double scale = rng.uniform() < 0.3 ? 500 : 3;
  for (std::size_t f = 0; f < factors; ++f) {
    Variables scope;
    for (const std::uint32_t v : all) {
      if (rng.uniform() < 0.4) scope.insert(rng.uniform() < 0.5 ? scope.begin() : scope.end(), v);
    }
    Sizes own;
    for (const std::uint32_t v : scope) own.push_back(out.sizes[v]);
    std::vector<double> logs(static_cast<std::size_t>(cells_of(scope, out.sizes)));
    for (double& log : logs) log = rng.uniform() < 0.1 ? kMinusInfinity : scale * draw_normal(rng);
    out.logs.insert(out.logs.end(), logs.begin(), logs.end());
    out.graph.connect_all(scope);
    out.table = product(out.table, Factor(scope, own, logs));
    out.scopes.push_back(std::move(scope));
  }
  return out;
}

/// The table with what disagrees with the evidence at zero.
Factor masked(const RandomProduct& made, const Evidence& evidence) {
  std::vector<double> logs = made.table.logs();
  for (std::size_t cell = 0; cell < logs.size(); ++cell) {
    std::size_t left = cell;
    for (std::size_t v = made.sizes.size(); v-- > 0; left /= made.sizes[v]) {
      for (const Seen& seen : evidence) {
        if (seen.variable == v && left % made.sizes[v] != seen.level) logs[cell] = kMinusInfinity;
      }
    }
  }
  return {made.table.variables(), made.sizes, std::move(logs)};
}

double log_at(const RandomProduct& made, const Factor& table, const std::vector<std::uint32_t>& state) {
  std::size_t cell = 0;
  for (std::size_t v = 0; v < made.sizes.size(); ++v) cell = cell * made.sizes[v] + state[v];
  return table.logs()[cell];
}

TEST(Propagation, CliqueMarginalsTotalsAndMaximaAreThoseOfTheTable) {
  Rng rng(1, 0, Purpose::test);
  int impossible = 0;
  for (int i = 0; i < 400; ++i) {
    const RandomProduct made = random_product(rng);
    Evidence evidence;
    if (rng.uniform() < 0.5) {
      const auto v = static_cast<std::uint32_t>(draw_below(made.sizes.size(), rng));
      evidence.push_back({v, static_cast<std::uint32_t>(draw_below(made.sizes[v], rng))});
    }
    const Factor table = masked(made, evidence);
    const Propagation propagation(JunctionTree(made.graph, made.sizes), made.scopes);
    ASSERT_EQ(propagation.dimension(), made.logs.size());
    Propagation::Workspace work = propagation.workspace();
    std::vector<std::uint32_t> state(made.sizes.size());
    const double best = propagation.maximise(made.logs, evidence, work, state);
    const double total = propagation.collect(made.logs, evidence, work);
    if (table.log_total() == kMinusInfinity) {
      ++impossible;
      EXPECT_EQ(total, kMinusInfinity);
      EXPECT_EQ(best, kMinusInfinity);
      continue;
    }
    const double close = kClose * (1 + std::abs(total));
    EXPECT_NEAR(total, table.log_total(), close);
    EXPECT_NEAR(best, max_to(table, {}).logs()[0], close);
    EXPECT_NEAR(log_at(made, table, state), best, close);
    propagation.distribute(work);
    for (std::size_t c = 0; c < propagation.tree().size(); ++c) {
      const Variables& clique = propagation.tree().clique(c);
      const Factor wanted = sum_to(table, clique);
      const std::vector<double> got = propagation.marginal(clique, work);
      for (std::size_t k = 0; k < got.size(); ++k)
        EXPECT_NEAR(got[k], std::exp(wanted.logs()[k] - table.log_total()), close);
    }
  }
  EXPECT_GT(impossible, 5);
}

TEST(Propagation, DrawsFollowTheTable) {
  // n = 20,000 draws each; chi-square at 1e-6, cells of fewer than 5 expected draws pooled.
  Rng rng(2, 0, Purpose::test);
  constexpr int draws = 20'000;
  for (int i = 0; i < 10; ++i) {
    const RandomProduct made = random_product(rng);
    const Propagation propagation(JunctionTree(made.graph, made.sizes), made.scopes);
    Propagation::Workspace work = propagation.workspace();
    const double total = propagation.collect(made.logs, {}, work);
    if (total == kMinusInfinity) continue;
    if (i % 2 == 1) propagation.distribute(work);
    std::vector<int> counts(made.table.logs().size());
    std::vector<std::uint32_t> state(made.sizes.size());
    for (int k = 0; k < draws; ++k) {
      propagation.draw(work, state, rng);
      std::size_t cell = 0;
      for (std::size_t v = 0; v < state.size(); ++v) cell = cell * made.sizes[v] + state[v];
      ++counts[cell];
    }
    double statistic = 0;
    double rest = 0;
    int rest_count = 0;
    int cells = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      const double wanted = draws * std::exp(made.table.logs()[k] - total);
      EXPECT_TRUE(counts[k] == 0 || made.table.logs()[k] > kMinusInfinity);
      if (wanted < 5) {
        rest += wanted;
        rest_count += counts[k];
        continue;
      }
      ++cells;
      statistic += (counts[k] - wanted) * (counts[k] - wanted) / wanted;
    }
    if (rest > 5) {
      ++cells;
      statistic += (rest_count - rest) * (rest_count - rest) / rest;
    }
    EXPECT_TRUE(cells == 1 || chi_square_tail(statistic, cells - 1) > 1e-6);
  }
}

TEST(Propagation, KeepsWhatUnderflowsInOneCliqueAndReturnsInAnother) {
  // A class with 2,000 features: half of them say e^{-1000} to one level, half to the other.
  const std::uint32_t features = 2000;
  Sizes sizes(features + 1, 2);
  std::vector<Variables> scopes;
  std::vector<double> logs;
  UndirectedGraph graph(features + 1);
  for (std::uint32_t f = 1; f <= features; ++f) {
    scopes.push_back({0, f});
    graph.connect(0, f);
    const double low = -1000;
    for (const double log : f % 2 == 0 ? std::array{low, low, 0.0, 0.0} : std::array{0.0, 0.0, low, low})
      logs.push_back(log);
  }
  const Propagation propagation(JunctionTree(graph, sizes), scopes);
  Propagation::Workspace work = propagation.workspace();
  EXPECT_NEAR(propagation.collect(logs, {}, work), -1e6 + (features + 1) * std::log(2), 1e-6);
  propagation.distribute(work);
  EXPECT_NEAR(propagation.marginal(Variables{0}, work)[0], 0.5, 1e-9);
}

}  // namespace
}  // namespace postern::graph
