// What holds of the optimisers at every iterate, and of every estimator whatever the order of its tables.

#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/infer/markov/estimate.hpp"

#include "markov/box.hpp"
#include "markov/ridge.hpp"
#include "markov_oracles.hpp"

namespace postern::infer {
namespace {

/// Noisy tables of a loop with a chord and a loose end.
MarkovProblem some_problem(const release::NoiseLaw& law) {
  Rng rng(41, 0, Purpose::test);
  MarkovProblem out{{2, 3, 2, 3, 2}, {}, KnownTotal{500}, {}};
  for (const graph::Variables& clique :
       std::vector<graph::Variables>{{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 2}, {3, 4}, {1}}) {
    std::vector<double> y(static_cast<std::size_t>(graph::cells_of(clique, out.sizes)));
    double sum = 0;
    for (double& one : y) sum += one = rng.uniform();
    for (double& one : y)
      one = std::round(500 * one / sum) + static_cast<double>(release::simulate(law, rng));
    out.tables.push_back({clique, std::move(y), law});
  }
  return out;
}

/// log p(y | n) + H(n) + start . n at the margins of a law: at most the dual, wherever that is.
double primal(const markov::Measurements& data, const markov::Law& law, const std::vector<double>& start,
              double step) {
  double value =
      data.total * (law.log_partition() - graph::expected_log_weight(law.theta(), law.marginals()) +
                    graph::expected_log_weight(start, law.marginals()));
  for (const auto& one : data.values) {
    const double r = one.y - data.total * law.marginals()[one.cell];
    value -= one.scale > 0 ? step * std::abs(r) / one.scale : step * r * r / (2 * one.variance);
  }
  return value;
}

TEST(MarkovInvariants, BoundsOfAnEStepCloseAtEveryIterate) {
  for (const release::NoiseLaw& law : {release::NoiseLaw(release::DiscreteLaplace(0.1)),
                                       release::NoiseLaw(release::DiscreteGaussian(200))}) {
    const markov::Measurements data(some_problem(law), {});
    std::vector<double> start(data.dimension());
    for (std::size_t i = 0; i < start.size(); ++i) start[i] = 0.3 * std::sin(static_cast<double>(i));
    double last = 1e300;
    for (int most = 0; most <= 40; ++most) {  // the first so many iterates of one descent
      markov::Law at(data, {});
      const auto solution = markov::solve_box(data, {start, 5}, at, 1e-10, most);
      const double below = primal(data, at, start, 5);
      const double close = 1e-10 * (1 + std::abs(below));
      EXPECT_GE(solution.gap, 0);
      EXPECT_GE(solution.value, below - close) << most;
      EXPECT_NEAR(solution.value - below, solution.gap, close) << most;
      EXPECT_LE(solution.value, last + close) << most;
      last = solution.value;
    }
    EXPECT_LT(last, 1e300);
  }
}

TEST(MarkovInvariants, BoundsOfARidgeCloseAtEveryIterate) {
  const markov::Measurements data(some_problem(release::DiscreteGaussian(50)), {});
  const markov::CellAverages average = markov::cell_averages(data);
  double last = 1e300;
  for (int most = 0; most <= 10; ++most) {
    markov::Law at(data, {});
    const auto solution =
        markov::solve_ridge(data, {data.zeros, average.y, average.variance, data.total}, at, 1e-12, most);
    const double below = primal(data, at, data.zeros, 1);
    const double close = 1e-10 * (1 + std::abs(below));
    EXPECT_GE(solution.gap, 0);
    EXPECT_NEAR(solution.value - below, solution.gap, close) << most;
    EXPECT_LE(solution.value, last + close) << most;
    last = solution.value;
  }
}

/// The same tables with variables renumbered, in another order and each with its variables turned round.
MarkovProblem reordered(const MarkovProblem& problem, const std::vector<std::uint32_t>& to) {
  MarkovProblem out = problem;
  for (std::size_t v = 0; v < to.size(); ++v) out.sizes[to[v]] = problem.sizes[v];
  for (NoisyTable& table : out.tables) {
    if (table.variables.size() == 2) {
      const std::size_t rows = problem.sizes[table.variables[0]];
      const std::size_t columns = problem.sizes[table.variables[1]];
      const std::vector<double> before = table.values;
      for (std::size_t i = 0; i < before.size(); ++i)
        table.values[i % columns * rows + i / columns] = before[i];
      std::swap(table.variables[0], table.variables[1]);
    }
    for (std::uint32_t& v : table.variables) v = to[v];
  }
  std::reverse(out.tables.begin(), out.tables.end());
  return out;
}

class EstimatorOrder : public ::testing::TestWithParam<std::tuple<MarkovEstimator, bool>> {};

TEST_P(EstimatorOrder, OfVariablesAndTablesChangesNothing) {
  const auto& [estimator, normal] = GetParam();
  const MarkovProblem problem = some_problem(normal ? release::NoiseLaw(release::DiscreteGaussian(200))
                                                    : release::NoiseLaw(release::DiscreteLaplace(0.1)));
  const std::vector<std::uint32_t> to{3, 0, 4, 1, 2};
  MarkovOptions options;
  options.prior_variance = 1;  // empirical Bayes throws signs for a trace, cell by cell
  options.tolerance = 1e-9;
  if (estimator == MarkovEstimator::em || estimator == MarkovEstimator::nlbp) options.radius = 1;
  if (estimator == MarkovEstimator::pgm) options.iterations = 50;
  const MarkovFit one = estimate_markov(problem, estimator, options, {});
  const MarkovFit two = estimate_markov(reordered(problem, to), estimator, options, {});
  for (const NoisyTable& table : problem.tables) {
    graph::Variables there;
    for (const std::uint32_t v : table.variables) there.push_back(to[v]);
    graph::LogLinear::Workspace here = one.model->workspace();
    graph::LogLinear::Workspace other = two.model->workspace();
    (void)one.model->evaluate(one.theta, here);
    (void)two.model->evaluate(two.theta, other);
    const auto wanted = one.model->propagation().marginal(table.variables, here.propagation);
    const auto got = two.model->propagation().marginal(there, other.propagation);
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Markov, EstimatorOrder,
                         ::testing::Combine(::testing::Values(MarkovEstimator::na_map, MarkovEstimator::naive,
                                                              MarkovEstimator::em, MarkovEstimator::nlbp,
                                                              MarkovEstimator::l1, MarkovEstimator::l2,
                                                              MarkovEstimator::pgm, MarkovEstimator::uniform),
                                            ::testing::Bool()),
                         [](const auto& one) {
                           std::string name(markov_estimator_name(std::get<0>(one.param)));
                           std::erase(name, '-');
                           return name + (std::get<1>(one.param) ? "_gaussian" : "_laplace");
                         });

}  // namespace
}  // namespace postern::infer
