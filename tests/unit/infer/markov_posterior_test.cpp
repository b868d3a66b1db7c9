// Parts of the engines that draw the posterior of potentials of Markov networks, odd problems, refusals.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"

#include "markov/posterior/binomial.hpp"
#include "markov/posterior/identifiable.hpp"
#include "markov_posterior_support.hpp"

namespace postern::infer {
namespace {

using testing::margins_report;

TEST(MarkovPosterior, TheBasisIsOrthonormalAndSpansWhatMatters) {
  const graph::LogLinear model({2, 3, 4}, {{0, 1}, {2, 1}, {0, 2}, {1}, {}});
  const markov::IdentifiableBasis basis(model);
  EXPECT_EQ(basis.rank(), 1U + 2 + 3 + 2 + 6 + 3);
  EXPECT_EQ(static_cast<double>(basis.rank()), markov::identifiable_rank(model));
  std::vector<double> unit(basis.rank());
  std::vector<double> column(basis.dimension());
  std::vector<double> back(basis.rank());
  graph::LogLinear::Workspace work = model.workspace();
  model.evaluate(std::vector<double>(basis.dimension(), 0.0), work);
  Rng rng(1, 0, Purpose::test);
  std::vector<double> theta(basis.dimension());
  for (double& one : theta) one = draw_normal(rng);
  model.evaluate(theta, work);
  const std::vector<double> margins = work.marginals;
  for (std::size_t j = 0; j < basis.rank(); ++j) {
    std::fill(unit.begin(), unit.end(), 0.0);
    unit[j] = 1;
    basis.expand(unit, column);
    basis.reduce(column, back);
    for (std::size_t k = 0; k < basis.rank(); ++k) EXPECT_NEAR(back[k], k == j ? 1 : 0, 1e-12);
  }
  // What is left out of theta changes no probability.
  basis.reduce(theta, back);
  basis.expand(back, column);
  model.evaluate(column, work);
  for (std::size_t i = 0; i < margins.size(); ++i) EXPECT_NEAR(work.marginals[i], margins[i], 1e-12);
}

TEST(MarkovPosterior, UniformNumbersGiveTheirCountsBack) {
  Rng rng(2, 0, Purpose::test);
  for (const std::int64_t n : {0LL, 1LL, 7LL, 1000LL, 1'000'000LL}) {
    for (const double p : {0.0, 1e-9, 0.01, 0.5, 0.97, 1.0}) {
      for (int i = 0; i < 50; ++i) {
        const std::int64_t x = p >= 1 ? n : draw_binomial(n, p, rng);
        const markov::Uniform u = markov::draw_uniform_given(x, n, p, rng);
        EXPECT_LE(u.tail, 0.5);
        EXPECT_EQ(markov::binomial_quantile(n, p, u), x) << n << " " << p;
      }
    }
  }
}

struct Odd {
  const char* name;
  MarkovProblem problem;
};
std::vector<Odd> odd_problems() {
  const release::NoiseLaw law = release::DiscreteLaplace(0.5);
  const NoisyTable pair{{0, 1}, {3, -1, 2, 7}, law};
  std::vector<Odd> out;
  const auto add = [&](const char* name, std::vector<NoisyTable> tables,
                       std::variant<KnownTotal, LatentTotal> total) {
    out.push_back({name, {{2, 2, 1}, std::move(tables), total, {}, {}}});
  };
  add("repeated", {pair, pair, {{1, 0}, {1, 2, 3, 4}, law}}, KnownTotal{10});
  add("within", {pair, {{1}, {4, 5}, law}, {{}, {9}, law}}, LatentTotal{40, 0});
  add("continuous", {{{0, 1}, {1.5, 2.25, -3.5, 4}, release::Laplace(2)}}, KnownTotal{8});
  add("wild", {{{0, 1}, {1e15, -1e15, 3, 1e9}, law}}, KnownTotal{100});
  add("wild_private", {{{0, 1}, {1e15, -1e15, 3, 1e9}, law}}, LatentTotal{1000, 0});
  add("all_negative", {{{0, 1}, {-5, -50, -9, -1}, law}}, LatentTotal{1000, 0});
  add("one_level", {{{2}, {7}, law}}, KnownTotal{5});
  add("no_tables", {}, KnownTotal{5});
  add("no_bound", {pair}, LatentTotal{0, 0});
  return out;
}

TEST(MarkovPosterior, OddTablesGiveLaws) {
  DriverOptions driver;
  driver.draws = 20;
  driver.chains = 2;
  driver.most_warmup = 400;
  for (const Odd& one : odd_problems()) {
    for (const MarkovSampler sampler : {MarkovSampler::potentials, MarkovSampler::tables}) {
      const ChainRun run = draw_markov_posterior(
          one.problem, sampler, margins_report(one.problem.sizes, {{0, 1}, {2}}), {}, driver, {});
      for (const std::vector<double>& chain : run.draws) {
        for (std::size_t i = 0; i < driver.draws; ++i) {
          double sum = 0;
          for (std::size_t q = 0; q < 4; ++q) sum += chain[q * driver.draws + i];
          EXPECT_NEAR(sum, 1, 1e-9) << one.name;
        }
      }
    }
  }
}

TEST(MarkovPosterior, RefusesImpossibleCellsAndTooManyPotentials) {
  MarkovProblem problem;
  problem.sizes = {2, 2};
  problem.total = KnownTotal{1};
  problem.tables = {{{0, 1}, {1, 0, 0, 0}, release::DiscreteLaplace(1)}};
  problem.impossible = {{{0, 1}, {0}}};
  const auto refusal = [&](const MarkovProblem& of) {
    try {
      static_cast<void>(draw_markov_posterior(of, MarkovSampler::potentials,
                                              margins_report(of.sizes, {{0, 1}}), {}, {}, {}));
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::internal;
  };
  EXPECT_EQ(refusal(problem), ErrorCode::unsupported);
  problem.impossible.clear();
  problem.sizes = {50, 50};
  problem.tables[0].values.assign(2500, 0);
  EXPECT_EQ(refusal(problem), ErrorCode::engine_limit);
}

}  // namespace
}  // namespace postern::infer
