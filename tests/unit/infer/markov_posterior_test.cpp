// The posterior of Markov networks that are not decomposable, against the list of all data sets averaged over
// potentials from the prior, and its intervals over instances from the prior.

#include <algorithm>
#include <cmath>
#include <iostream>

#include <gtest/gtest.h>

#include "postern/core/diagnostics.hpp"
#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

#include "markov/posterior/binomial.hpp"
#include "markov/posterior/identifiable.hpp"
#include "markov_posterior_support.hpp"

namespace postern::infer {
namespace {

using testing::margins_report;
using testing::markov_instance;
using testing::MarkovInstance;

const graph::Sizes kFour{2, 2, 2, 2};
const std::vector<graph::Variables> kLoop{{0, 1}, {1, 2}, {2, 3}, {0, 3}};
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

struct Moments {
  double mean = 0;
  double sd = 0;
  double ess = 0;
};
Moments moments(const ChainRun& run, std::size_t q, std::size_t draws) {
  std::vector<std::span<const double>> chains;
  Moments out;
  double count = 0;
  for (const std::vector<double>& chain : run.draws) {
    chains.emplace_back(chain.data() + q * draws, draws);
    for (const double x : chains.back()) {
      out.mean += x;
      out.sd += x * x;
      count += 1;
    }
  }
  out.mean /= count;
  out.sd = std::sqrt(std::max(out.sd / count - out.mean * out.mean, 0.0));
  out.ess = std::min(bulk_ess(ChainDraws(chains)), count);
  return out;
}

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
    ::testing::Values(Small{"loop", kFour, kLoop, 3, release::DiscreteLaplace(1)},
                      Small{"loop_much_noise", kFour, kLoop, 3, release::DiscreteLaplace(0.2)},
                      Small{"triangle", {2, 2, 2}, kTriangle, 5, release::DiscreteLaplace(0.7)},
                      Small{"triangle_gaussian", {2, 2, 2}, kTriangle, 5, release::DiscreteGaussian(2)},
                      Small{"triangle_private", {2, 2, 2}, kTriangle, 3, release::DiscreteLaplace(0.7), 5},
                      Small{"triangle_levels", {2, 3, 2}, kTriangle, 3, release::DiscreteLaplace(0.5)},
                      Small{"one_level", {2, 1, 2}, kTriangle, 4, release::DiscreteLaplace(1)},
                      Small{"no_records", {2, 2, 2}, kTriangle, 0, release::DiscreteLaplace(1)}),
    [](const auto& one) { return std::string(one.param.name); });

/// The share of cells whose 95 % interval holds the truth, over instances; those with too few effective draws
/// do not count.
struct Coverage {
  double share = 0;
  int counted = 0;
  double se = 0;
};
Coverage coverage(const graph::Sizes& sizes, const std::vector<graph::Variables>& cliques, std::int64_t n,
                  double b, MarkovSampler sampler, int instances, std::size_t draws, bool estimated,
                  std::optional<std::int64_t> at_most = {}) {
  Coverage out;
  std::vector<double> shares;
  for (int k = 0; k < instances; ++k) {
    Rng rng(20261118, static_cast<std::uint32_t>(k), Purpose::test);
    const MarkovInstance instance =
        markov_instance(sizes, cliques, 1, n, release::DiscreteLaplace(1 / b), at_most, rng);
    DriverOptions driver;
    driver.draws = draws;
    driver.seed = static_cast<std::uint64_t>(k) + 1;
    MarkovPosteriorOptions options;
    if (!estimated) options.prior_variance = 1;
    const ChainRun run =
        draw_markov_posterior(instance.problem, sampler, margins_report(sizes, cliques), options, driver, {});
    double held = 0;
    double least = 1e300;
    for (std::size_t i = 0; i < instance.margins.size(); ++i) {
      least = std::min(least, moments(run, i, draws).ess);
      std::vector<double> all;
      for (const std::vector<double>& chain : run.draws)
        all.insert(all.end(), chain.begin() + static_cast<std::ptrdiff_t>(i * draws),
                   chain.begin() + static_cast<std::ptrdiff_t>((i + 1) * draws));
      std::sort(all.begin(), all.end());
      const auto at = [&](double p) {
        return all[static_cast<std::size_t>(p * static_cast<double>(all.size()))];
      };
      held += instance.margins[i] >= at(0.025) && instance.margins[i] <= at(0.975) ? 1 : 0;
    }
    if (least >= 100) shares.push_back(held / static_cast<double>(instance.margins.size()));
  }
  out.counted = static_cast<int>(shares.size());
  for (const double share : shares) out.share += share / static_cast<double>(shares.size());
  for (const double share : shares) out.se += std::pow(share - out.share, 2);
  out.se = std::sqrt(out.se) / static_cast<double>(shares.size());
  std::cout << "coverage n " << n << ", b " << b << ": " << out.share << " (se " << out.se << "), "
            << out.counted << " of " << instances << " counted\n";
  return out;
}

const graph::Sizes kThree{3, 3, 3, 3};

TEST(MarkovPosterior, IntervalsHoldTheTruth) {
  const Coverage large = coverage(kThree, kLoop, 10'000, 12, MarkovSampler::potentials, 20, 100, true);
  EXPECT_GE(large.counted, 18);
  EXPECT_NEAR(large.share, 0.945, 0.025 + 2 * large.se);
  const Coverage small = coverage(kFour, kLoop, 1000, 4, MarkovSampler::tables, 12, 100, true);
  EXPECT_GE(small.counted, 10);
  EXPECT_NEAR(small.share, 0.947, 0.018 + 2 * small.se);
}

TEST(LongMarkovPosterior, IntervalsOfLoopsHoldTheTruth) {
  double exact = 0;
  double normal = 0;
  for (const std::int64_t n : {1000, 10'000, 100'000}) {
    const Coverage tables = coverage(kThree, kLoop, n, 4, MarkovSampler::tables, 60, 500, true);
    const Coverage potentials = coverage(kThree, kLoop, n, 20, MarkovSampler::potentials, 60, 500, true);
    EXPECT_GE(std::min(tables.counted, potentials.counted), 50);
    exact += tables.share / 3;
    normal += potentials.share / 3;
  }
  EXPECT_GE(exact, 0.93);
  EXPECT_LE(exact, 0.965);
  EXPECT_GE(normal, 0.92);
  EXPECT_LE(normal, 0.97);
}

std::vector<graph::Variables> third_order_chain(std::uint32_t columns) {
  std::vector<graph::Variables> out;
  for (std::uint32_t a = 0; a < columns; ++a) {
    for (std::uint32_t b = a + 1; b < columns && b - a <= 3; ++b) out.push_back({a, b});
  }
  return out;
}

TEST(LongMarkovPosterior, IntervalsOfChainsHoldTheTruth) {
  const graph::Sizes sizes(10, 3);
  const std::vector<graph::Variables> cliques = third_order_chain(10);
  const Coverage normal = coverage(sizes, cliques, 10'000, 24, MarkovSampler::potentials, 50, 300, true);
  EXPECT_GE(normal.share, 0.92);
  EXPECT_LE(normal.share, 0.97);
  const Coverage exact = coverage(sizes, cliques, 1000, 4.8, MarkovSampler::tables, 50, 300, true);
  EXPECT_GE(exact.share, 0.93);
  EXPECT_LE(exact.share, 0.965);
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
