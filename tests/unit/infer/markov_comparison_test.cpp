// The noise-aware mode against the estimators that it replaces, each of these at its best setting of every
// trial, which nobody knows who has not the truth. make test-long.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <tuple>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/graph/log_linear.hpp"
#include "postern/graph/undirected.hpp"
#include "postern/infer/markov/estimate.hpp"

namespace postern::infer {
namespace {

constexpr std::uint32_t kVariables = 10;
constexpr std::uint32_t kLevels = 5;  ///< unless a trial has more

std::vector<graph::Variables> third_order_chain(Rng& /*rng*/) {
  std::vector<graph::Variables> out;
  for (std::uint32_t a = 0; a < kVariables; ++a) {
    for (std::uint32_t b = a + 1; b < kVariables && b <= a + 3; ++b) out.push_back({a, b});
  }
  return out;
}

/// Each pair with probability .3, drawn anew until the graph is connected and no clique has more than five.
std::vector<graph::Variables> random_graph(Rng& rng) {
  for (;;) {
    std::vector<graph::Variables> out;
    graph::UndirectedGraph graph(kVariables);
    for (std::uint32_t a = 0; a < kVariables; ++a) {
      for (std::uint32_t b = a + 1; b < kVariables; ++b) {
        if (rng.uniform() >= 0.3) continue;
        out.push_back({a, b});
        graph.connect(a, b);
      }
    }
    if (std::ranges::max(graph.components()) > 0) continue;
    const auto cliques = graph::cheapest_elimination(graph, graph::Sizes(kVariables, kLevels)).cliques;
    if (std::ranges::all_of(cliques, [](const auto& clique) { return clique.size() <= 5; })) return out;
  }
}

/// One truth, one population, one noise.
struct Trial {
  graph::LogLinear model;
  std::vector<double> theta;
  MarkovProblem problem;

  Trial(const std::vector<graph::Variables>& edges, std::size_t n, double epsilon, Rng& rng,
        std::uint32_t levels = kLevels)
      : model(graph::Sizes(kVariables, levels), edges) {
    const std::vector<double> ones(std::size_t{levels} * levels, 1.0);
    std::vector<double> table(ones.size());
    for (std::size_t e = 0; e < edges.size(); ++e) {
      draw_dirichlet(ones, table, rng);
      for (const double p : table) theta.push_back(std::log(p));
    }
    auto work = model.workspace();
    (void)model.evaluate(theta, work);
    const auto records =
        model.propagation().draw_records(work.propagation, n, graph::Sampling::independent, rng);
    const release::DiscreteLaplace law(epsilon / static_cast<double>(edges.size()));
    problem = {model.sizes(), {}, KnownTotal{static_cast<std::int64_t>(n)}, {}};
    for (const graph::Variables& edge : edges) {
      std::vector<double> noisy(ones.size());
      for (std::size_t i = 0; i < n; ++i) ++noisy[records[edge[0]][i] * levels + records[edge[1]][i]];
      for (double& y : noisy) y += static_cast<double>(law.simulate(rng));
      problem.tables.push_back({edge, std::move(noisy), law});
    }
  }
  [[nodiscard]] double kl(MarkovEstimator estimator, const MarkovOptions& options = {}) const {
    const MarkovFit fit = estimate_markov(problem, estimator, options, {});
    return graph::kl_divergence(model, theta, *fit.model, fit.theta);
  }
};

/// Divergences of one estimator at each of its settings.
using Settings = std::vector<double>;

Settings naive(const Trial& trial) {
  Settings out;
  for (const double ridge : {1e-4, 1e-3, 3e-3, 1e-2, 3e-2})
    out.push_back(trial.kl(MarkovEstimator::naive, {.ridge = ridge, .tolerance = 1e-6}));
  return out;
}

Settings em(const Trial& trial) {
  Settings out;
  for (const double radius : {0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0})
    out.push_back(trial.kl(MarkovEstimator::em, {.radius = radius}));
  return out;
}

Settings pgm(const Trial& trial, int most = 1000) {
  Settings out;
  for (const int iterations : {30, 100, 300, 1000}) {
    if (iterations <= most) out.push_back(trial.kl(MarkovEstimator::pgm, {.iterations = iterations}));
  }
  return out;
}

/// The seed of a run, and a stream for every trial of every cell: a cell alone is what it is among all.
Rng stream_of(std::size_t n, double epsilon, int trial) {
  const char* seed = std::getenv("POSTERN_SEED");
  const auto cell = static_cast<std::uint32_t>(std::log10(static_cast<double>(n)) * 100 + epsilon * 10);
  return {seed == nullptr ? 1 : std::strtoull(seed, nullptr, 10),
          cell * 1000 + static_cast<std::uint32_t>(trial), Purpose::test};
}

/// Of how many trials the noise-aware mode is the better one.
struct Better {
  int uniform = 0;
  int naive = 0;
  int em = 0;
  int pgm = 0;
};

/// At least the share that a prototype saw less three standard errors of a share from so many trials.
void expect_share(const char* what, int better, int trials, double seen) {
  const double share = static_cast<double>(better) / trials;
  std::printf("better than %s in %d of %d: %.3f (se %.3f), prototype %.3f\n", what, better, trials, share,
              std::sqrt(share * (1 - share) / trials), seen);
  EXPECT_GE(share, seen - 3 * std::sqrt(seen * (1 - seen) / trials)) << what;
}

struct Shares {
  double naive = 0;
  double em = 0;
  double pgm = 0;
  double uniform = 0;
};
constexpr int kTrials = 40;  ///< of each cell

Better compare_cell(std::vector<graph::Variables> (*draw_graph)(Rng&), std::size_t n, double epsilon) {
  Better better;
  std::array<double, 6> mean{};
  for (int r = 0; r < kTrials; ++r) {
    Rng rng = stream_of(n, epsilon, r);
    const Trial trial(draw_graph(rng), n, epsilon, rng);
    const double ours = trial.kl(MarkovEstimator::na_map);
    const std::array all{trial.kl(MarkovEstimator::uniform), std::ranges::min(naive(trial)),
                         std::ranges::min(em(trial)),        std::ranges::min(pgm(trial)),
                         trial.kl(MarkovEstimator::em),      ours};
    for (std::size_t k = 0; k < all.size(); ++k) mean.at(k) += all.at(k) / kTrials;
    better.uniform += ours < all[0] ? 1 : 0;
    better.naive += ours < all[1] ? 1 : 0;
    better.em += ours < all[2] ? 1 : 0;
    better.pgm += ours < all[3] ? 1 : 0;
  }
  std::printf("%8zu %5g", n, epsilon);
  for (const double kl : mean) std::printf(" %9.4g", kl);
  std::printf("   %d %d %d %d\n", better.uniform, better.naive, better.em, better.pgm);
  (void)std::fflush(stdout);
  return better;
}

void compare(std::vector<graph::Variables> (*draw_graph)(Rng&), const Shares& seen) {
  int trials = 0;
  Better sum;
  std::printf("%8s %5s %9s %9s %9s %9s %9s %9s   na-map better than uniform, naive, em, pgm, of %d\n", "n",
              "eps", "uniform", "naive", "em", "pgm", "em-stop", "na-map", kTrials);
  for (const std::size_t n : {1000, 10'000, 100'000}) {
    for (const double epsilon : {0.1, 0.5, 1.0}) {
      const Better cell = compare_cell(draw_graph, n, epsilon);
      trials += kTrials;
      sum.uniform += cell.uniform;
      sum.naive += cell.naive;
      sum.em += cell.em;
      sum.pgm += cell.pgm;
    }
  }
  expect_share("naive at its best", sum.naive, trials, seen.naive);
  expect_share("EM at its best", sum.em, trials, seen.em);
  expect_share("mirror descent at its best", sum.pgm, trials, seen.pgm);
  expect_share("uniform", sum.uniform, trials, seen.uniform);
}

TEST(LongMarkovComparison, ThirdOrderChain) {
  compare(third_order_chain, {79.0 / 90, 80.0 / 90, 70.0 / 90, 88.0 / 90});
}

TEST(LongMarkovComparison, RandomGraphs) {
  compare(random_graph, {81.0 / 90, 76.0 / 90, 56.0 / 90, 85.0 / 90});
}

/// The mean over trials of the setting whose mean is least.
double best_mean(const std::vector<Settings>& trials) {
  double best = 1e300;
  for (std::size_t k = 0; k < trials[0].size(); ++k) {
    double mean = 0;
    for (const Settings& trial : trials) mean += trial[k] / static_cast<double>(trials.size());
    best = std::min(best, mean);
  }
  return best;
}

/// Three trials of ten levels: too few for shares, enough for the order of means that are apart.
class MarkovTenLevels : public ::testing::TestWithParam<std::tuple<std::size_t, double>> {};

TEST_P(MarkovTenLevels, OrderOfMeans) {
  const auto& [n, epsilon] = GetParam();
  std::vector<Settings> by_naive;
  std::vector<Settings> by_em;
  std::vector<Settings> by_pgm;
  double ours = 0;
  double stopped = 0;
  for (int r = 0; r < 3; ++r) {
    Rng rng = stream_of(n, epsilon, 500 + r);
    const Trial trial(third_order_chain(rng), n, epsilon, rng, 10);
    ours += trial.kl(MarkovEstimator::na_map) / 3;
    stopped += trial.kl(MarkovEstimator::em) / 3;
    by_naive.push_back(naive(trial));
    by_em.push_back(em(trial));
    by_pgm.push_back(pgm(trial, 300));
  }
  std::printf("%8zu %5g naive %.4g em %.4g pgm %.4g em-stop %.4g na-map %.4g\n", n, epsilon,
              best_mean(by_naive), best_mean(by_em), best_mean(by_pgm), stopped, ours);
  EXPECT_LT(ours, stopped);
  EXPECT_LT(ours, best_mean(by_em));
  EXPECT_LT(ours, best_mean(by_pgm));
  // Level with the best ridge at n = 100,000 and epsilon = 0.5; better elsewhere.
  EXPECT_LT(ours, best_mean(by_naive) * (n == 100'000 && epsilon < 1 ? 1.1 : 1));
}

INSTANTIATE_TEST_SUITE_P(Long, MarkovTenLevels,
                         ::testing::Combine(::testing::Values(10'000, 100'000), ::testing::Values(0.5, 1.0)));

}  // namespace
}  // namespace postern::infer
