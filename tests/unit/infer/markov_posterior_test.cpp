// The posterior of potentials of Markov networks against the list of all data sets, averaged over potentials
// from the prior.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

#include "markov/posterior/binomial.hpp"
#include "markov/posterior/identifiable.hpp"
#include "markov_posterior_support.hpp"

namespace postern::infer {
namespace {

using testing::kLoop;
using testing::margins_report;
using testing::markov_instance;
using testing::MarkovInstance;
using testing::Moments;
using testing::moments;

const graph::Sizes kFour{2, 2, 2, 2};
const std::vector<graph::Variables> kTriangle{{0, 1}, {1, 2}, {0, 2}};

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

/// Means of the margins given noisy tables: potentials from the prior, each weighed by the probability of the
/// tables, summed over all data sets.
class Listing {
 public:
  Listing(const graph::Sizes& sizes, const std::vector<graph::Variables>& cliques,
          const MarkovProblem& problem, std::int64_t least, std::int64_t most, double sd, std::size_t draws)
      : model_(sizes, cliques), problem_(problem) {
    states_ = 1;
    for (const std::uint32_t size : sizes) states_ *= size;
    for (std::size_t state = 0; state < states_; ++state) {
      std::vector<std::uint32_t> levels(sizes.size());
      std::size_t rest = state;
      for (std::size_t v = sizes.size(); v-- > 0; rest /= sizes[v])
        levels[v] = static_cast<std::uint32_t>(rest % sizes[v]);
      for (std::size_t f = 0; f < cliques.size(); ++f) {
        std::size_t cell = 0;
        for (const std::uint32_t v : cliques[f]) cell = cell * sizes[v] + levels[v];
        cells_.push_back(model_.offset(f) + cell);
      }
    }
    counts_.assign(states_, 0);
    for (std::int64_t n = least; n <= most; ++n) place(0, n, log_factorial(static_cast<double>(n)));
    average(sd, draws);
  }
  std::vector<double> means;
  std::vector<double> errors;

 private:
  struct DataSet {
    double weight = 0;  ///< orders times the probability of the noise
    std::vector<std::pair<std::uint32_t, int>> counts;
  };
  void place(std::size_t state, std::int64_t left, double log_orders) {
    if (state + 1 < states_) {
      for (counts_[state] = 0; counts_[state] <= left; ++counts_[state])
        place(state + 1, left - counts_[state],
              log_orders - log_factorial(static_cast<double>(counts_[state])));
      counts_[state] = 0;
      return;
    }
    counts_[state] = left;
    std::vector<double> cells(model_.dimension());
    DataSet one{log_orders - log_factorial(static_cast<double>(left)), {}};
    const std::size_t cliques = model_.cliques().size();
    for (std::size_t s = 0; s < states_; ++s) {
      if (counts_[s] == 0) continue;
      one.counts.emplace_back(static_cast<std::uint32_t>(s), static_cast<int>(counts_[s]));
      for (std::size_t f = 0; f < cliques; ++f)
        cells[cells_[s * cliques + f]] += static_cast<double>(counts_[s]);
    }
    for (std::size_t f = 0; f < cliques; ++f) {
      for (std::size_t i = model_.offset(f); i < model_.offset(f + 1); ++i)
        one.weight += release::log_pmf(problem_.tables[f].law,
                                       problem_.tables[f].values[i - model_.offset(f)] - cells[i]);
    }
    one.weight = std::exp(one.weight);
    sets_.push_back(std::move(one));
  }
  void average(double sd, std::size_t draws) {
    Rng rng(77, 0, Purpose::test);
    std::vector<double> theta(model_.dimension());
    std::vector<double> p(states_);
    std::vector<std::vector<double>> margins;
    std::vector<double> weights;
    const std::size_t cliques = model_.cliques().size();
    for (std::size_t d = 0; d < draws; ++d) {
      for (double& one : theta) one = sd * draw_normal(rng);
      double sum = 0;
      for (std::size_t s = 0; s < states_; ++s) {
        double log = 0;
        for (std::size_t f = 0; f < cliques; ++f) log += theta[cells_[s * cliques + f]];
        sum += p[s] = std::exp(log);
      }
      std::vector<double> own(model_.dimension());
      for (std::size_t s = 0; s < states_; ++s) {
        p[s] /= sum;
        for (std::size_t f = 0; f < cliques; ++f) own[cells_[s * cliques + f]] += p[s];
      }
      double weight = 0;
      for (const DataSet& set : sets_) {
        double product = set.weight;
        for (const auto& [state, count] : set.counts) {
          for (int i = 0; i < count; ++i) product *= p[state];
        }
        weight += product;
      }
      weights.push_back(weight);
      margins.push_back(std::move(own));
    }
    double all = 0;
    for (const double w : weights) all += w;
    means.assign(model_.dimension(), 0);
    errors.assign(model_.dimension(), 0);
    for (std::size_t d = 0; d < draws; ++d) {
      for (std::size_t i = 0; i < means.size(); ++i) means[i] += weights[d] / all * margins[d][i];
    }
    for (std::size_t d = 0; d < draws; ++d) {
      for (std::size_t i = 0; i < means.size(); ++i)
        errors[i] += std::pow(weights[d] / all * (margins[d][i] - means[i]), 2);
    }
    for (double& error : errors) error = std::sqrt(error);
  }

  graph::LogLinear model_;
  const MarkovProblem& problem_;
  std::size_t states_ = 1;
  std::vector<std::size_t> cells_;
  std::vector<std::int64_t> counts_;
  std::vector<DataSet> sets_;
};

struct Small {
  const char* name;
  graph::Sizes sizes;
  std::vector<graph::Variables> cliques;
  std::int64_t n;
  release::NoiseLaw law;
  std::optional<std::int64_t> at_most = {};
};
class MarkovPosteriorListing : public ::testing::TestWithParam<Small> {};

TEST_P(MarkovPosteriorListing, TablesEngineEqualsTheListOfDataSets) {
  const Small& one = GetParam();
  Rng rng(11, 0, Purpose::test);
  const MarkovInstance instance =
      markov_instance(one.sizes, one.cliques, 1, one.n, one.law, one.at_most, rng);
  const std::int64_t least = one.at_most ? 0 : one.n;
  const Listing listing(one.sizes, one.cliques, instance.problem, least, one.at_most.value_or(one.n), 1,
                        20'000);
  DriverOptions driver;
  const ChainRun run =
      draw_markov_posterior(instance.problem, MarkovSampler::tables, margins_report(one.sizes, one.cliques),
                            {.prior_variance = 1}, driver, {});
  double squares = 0;
  for (std::size_t i = 0; i < listing.means.size(); ++i) {
    const Moments got = moments(run, i, driver.draws);
    EXPECT_GT(got.ess, 100) << i;
    const double error = std::hypot(got.sd / std::sqrt(got.ess), listing.errors[i]);
    const double z = (got.mean - listing.means[i]) / error;
    EXPECT_LT(std::abs(z), 5) << i << ": " << got.mean << " for " << listing.means[i];
    squares += z * z;
  }
  EXPECT_LT(std::sqrt(squares / static_cast<double>(listing.means.size())), 1.8);
}

INSTANTIATE_TEST_SUITE_P(
    All, MarkovPosteriorListing,
    ::testing::Values(
        Small{"loop", kFour, kLoop, 3, release::DiscreteLaplace(1)},
        Small{"loop_much_noise", kFour, kLoop, 3, release::DiscreteLaplace(0.2)},
        Small{"triangle", {2, 2, 2}, kTriangle, 5, release::DiscreteLaplace(0.7)},
        Small{"triangle_gaussian", {2, 2, 2}, kTriangle, 5, release::DiscreteGaussian(2)},
        Small{"triangle_private", {2, 2, 2}, kTriangle, 3, release::DiscreteLaplace(0.7), 5},
        Small{"triangle_levels", {2, 3, 2}, kTriangle, 3, release::DiscreteLaplace(0.5)},
        Small{"pair", {2, 3}, {{0, 1}}, 4, release::DiscreteLaplace(0.5)},
        Small{"chain", {2, 2, 2}, {{0, 1}, {1, 2}}, 4, release::DiscreteGaussian(4)},
        Small{"apart", {2, 2, 2}, {{0, 1}, {2}}, 4, release::DiscreteLaplace(0.7), 4},
        Small{"within", {2, 2, 2}, {{1, 0}, {1, 2}, {2, 0}, {1}}, 4, release::DiscreteLaplace(0.7)},
        Small{"whole", {2, 2, 2}, {{0, 1, 2}}, 4, release::DiscreteLaplace(0.7)},
        Small{"one_level", {2, 1, 2}, kTriangle, 4, release::DiscreteLaplace(1)},
        Small{"no_records", {2, 2, 2}, kTriangle, 0, release::DiscreteLaplace(1)}),
    [](const auto& one) { return std::string(one.param.name); });

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
