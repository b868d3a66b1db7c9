// A network behind several record sets: the chain on tables against the list of all pairs of data sets.

#include <cmath>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "postern/core/special.hpp"
#include "postern/infer/network/tables_chain.hpp"

#include "brute_noise.hpp"
#include "network/join_sets.hpp"
#include "network_tables_support.hpp"

namespace postern::infer {
namespace {

constexpr double kAlpha = 1e-6;  ///< of all comparisons of one test together

/// A data set of one set: its family tables one behind the other, and the log of its weight given the CPTs'
/// likelihood: how many orders, noise, prior of n.
struct DataSet {
  std::vector<double> tables;
  double n = 0;
  double log_weight = 0;
};

std::vector<double> family_tables(const NetworkProblem& problem, const std::vector<std::int64_t>& counts) {
  std::vector<double> out;
  for (const NetworkFamily& family : problem.families) {
    const std::size_t first = out.size();
    out.resize(first + family.alpha.size());
    for (std::size_t state = 0; state < counts.size(); ++state) {
      std::size_t cell = 0;
      for (const std::uint32_t v : family.variables) {
        std::size_t left = state;
        for (std::size_t u = problem.sizes.size() - 1; u > v; --u) left /= problem.sizes[u];
        cell = cell * problem.sizes[v] + left % problem.sizes[v];
      }
      out[first + cell] += static_cast<double>(counts[state]);
    }
  }
  return out;
}

DataSet weigh(const NetworkProblem& problem, const std::vector<std::int64_t>& counts, std::int64_t n) {
  DataSet out{family_tables(problem, counts), static_cast<double>(n), log_factorial(static_cast<double>(n))};
  if (const auto* latent = std::get_if<LatentTotal>(&problem.total))
    out.log_weight += latent->log_slope * static_cast<double>(n);
  for (const std::int64_t c : counts) out.log_weight -= log_factorial(static_cast<double>(c));
  std::size_t at = 0;
  for (const NetworkFamily& family : problem.families) {
    for (std::size_t cell = 0; cell < family.alpha.size(); ++cell, ++at) {
      for (const NoisyValue& value : family.noisy_values[cell])
        out.log_weight += brute_log_likelihood(value, out.tables[at]);
    }
  }
  return out;
}

std::vector<DataSet> list(const NetworkProblem& problem) {
  std::size_t states = 1;
  for (const std::uint32_t size : problem.sizes) states *= size;
  std::vector<DataSet> out;
  std::vector<std::int64_t> counts(states);
  const std::function<void(std::size_t, std::int64_t, std::int64_t)> place =
      [&](std::size_t state, std::int64_t left, std::int64_t n) {
        if (state + 1 == states) {
          counts[state] = left;
          out.push_back(weigh(problem, counts, n));
          return;
        }
        for (counts[state] = 0; counts[state] <= left; ++counts[state])
          place(state + 1, left - counts[state], n);
      };
  if (const auto* known = std::get_if<KnownTotal>(&problem.total)) {
    place(0, known->n, known->n);
  } else {
    for (std::int64_t n = 0; n <= std::get<LatentTotal>(problem.total).at_most; ++n) place(0, n, n);
  }
  return out;
}

/// Moments of every CPT entry, then of each latent n.
struct Moments {
  std::vector<double> mean;
  std::vector<double> square;
};

Moments moments_of(const std::vector<NetworkProblem>& problems) {
  const NetworkProblem& network = problems.front();
  const std::vector<DataSet> first = list(problems[0]);
  const std::vector<DataSet> second = list(problems[1]);
  Moments out;
  double mass = 0;
  const auto add = [&](std::size_t& q, double weight, double mean, double square) {
    if (out.mean.size() <= q) {
      out.mean.resize(q + 1);
      out.square.resize(q + 1);
    }
    out.mean[q] += weight * mean;
    out.square[q++] += weight * square;
  };
  for (const DataSet& a : first) {
    for (const DataSet& b : second) {
      double log_weight = a.log_weight + b.log_weight;
      std::size_t at = 0;
      for (std::size_t v = 0; v < network.families.size(); ++v) {
        const std::vector<double>& alpha = network.families[v].alpha;
        for (std::size_t row = 0; row < alpha.size(); row += network.sizes[v]) {
          double whole = 0;
          double records = 0;
          for (std::size_t k = row; k < row + network.sizes[v]; ++k, ++at) {
            log_weight += log_rising(alpha[k], a.tables[at] + b.tables[at]);
            whole += alpha[k];
            records += a.tables[at] + b.tables[at];
          }
          log_weight -= log_rising(whole, records);
        }
      }
      const double weight = std::exp(log_weight);
      mass += weight;
      at = 0;
      std::size_t q = 0;
      for (std::size_t v = 0; v < network.families.size(); ++v) {
        const std::vector<double>& alpha = network.families[v].alpha;
        for (std::size_t row = 0; row < alpha.size(); row += network.sizes[v]) {
          double whole = 0;
          for (std::size_t k = 0; k < network.sizes[v]; ++k)
            whole += alpha[row + k] + a.tables[at + k] + b.tables[at + k];
          for (std::size_t k = 0; k < network.sizes[v]; ++k, ++at) {
            const double own = alpha[row + k] + a.tables[at] + b.tables[at];
            add(q, weight, own / whole, own * (own + 1) / (whole * (whole + 1)));
          }
        }
      }
      if (std::holds_alternative<LatentTotal>(problems[0].total)) add(q, weight, a.n, a.n * a.n);
      if (std::holds_alternative<LatentTotal>(problems[1].total)) add(q, weight, b.n, b.n * b.n);
    }
  }
  for (double& x : out.mean) x /= mass;
  for (double& x : out.square) x /= mass;
  return out;
}

void expect_equal(const std::vector<NetworkProblem>& problems, std::uint64_t seed) {
  const Moments exact = moments_of(problems);
  const NetworkProblem joint = join_sets(problems);
  ASSERT_EQ(network_quantities(joint), exact.mean.size());
  DriverOptions options;
  options.seed = seed;
  options.draws = 2500;
  const ChainRun run = draw_network_tables(joint, options, {});
  const double limit = -normal_quantile(kAlpha / 2 / static_cast<double>(2 * exact.mean.size()));
  for (std::size_t q = 0; q < exact.mean.size(); ++q) {
    const QuantityDraws draws(run, q, options.draws);
    EXPECT_LT(draws.rhat(), 1.02) << q;
    const double variance = exact.square[q] - exact.mean[q] * exact.mean[q];
    const double ess = std::min(draws.ess(), 10'000.0);
    const double mean = draws.mean([](double x) { return x; });
    const double off = exact.mean[q];
    const double centred = draws.mean([&](double x) { return (x - off) * (x - off); });
    const double fourth = draws.mean([&](double x) { return std::pow(x - off, 4); });
    EXPECT_LT(std::abs(mean - off) / std::sqrt(variance / ess), limit) << q;
    EXPECT_LT(std::abs(centred - variance) / std::sqrt((fourth - variance * variance) / ess), limit) << q;
  }
}

/// An edge between two columns; both sets have records of one truth.
std::vector<NetworkProblem> two_sets(std::variant<KnownTotal, LatentTotal> a,
                                     std::variant<KnownTotal, LatentTotal> b, std::uint64_t seed) {
  Rng rng(seed, 0, Purpose::draws);
  const Parents parents{{}, {0}};
  NetworkProblem network = empty_network({2, 2}, parents, 0.7);
  const std::vector<double> truth = draw_truth(network, rng);
  std::vector<NetworkProblem> out;
  for (const auto& total : {a, b}) {
    NetworkProblem one = network;
    one.total = total;
    release_records(one, truth, 3, release::DiscreteLaplace(0.6), rng);
    out.push_back(std::move(one));
  }
  return out;
}

TEST(NetworkTablesSets, KnownNumbersOfRecords) {
  expect_equal(two_sets(KnownTotal{3}, KnownTotal{5}, 11), 1);
}

TEST(NetworkTablesSets, LatentNumbersOfRecords) {
  expect_equal(two_sets(LatentTotal{5, 0}, LatentTotal{4, -0.2}, 12), 2);
}

TEST(NetworkTablesSets, OneKnownAndOneLatent) {
  expect_equal(two_sets(KnownTotal{4}, LatentTotal{5, 0}, 13), 3);
}

TEST(NetworkTablesSets, TablesThatOneSetDoesNotHave) {
  std::vector<NetworkProblem> problems = two_sets(KnownTotal{4}, KnownTotal{4}, 14);
  for (auto& values : problems[1].families[1].noisy_values) values.clear();
  expect_equal(problems, 4);
}

TEST(NetworkTablesSets, ManyRecordsAreKeptInTheirSets) {
  std::vector<NetworkProblem> problems = two_sets(KnownTotal{3}, LatentTotal{20'000, 0}, 15);
  const NetworkProblem empty = empty_network({2, 2}, {{}, {0}}, 0.7);
  const std::vector<double> truth{0.7, 0.3, 0.2, 0.8, 0.6, 0.4};
  Rng rng(15, 1, Purpose::draws);
  problems[0] = empty;
  problems[0].total = KnownTotal{9000};
  problems[1] = empty;
  problems[1].total = LatentTotal{20'000, 0};
  release_records(problems[0], truth, 9000, release::DiscreteLaplace(0.5), rng);
  release_records(problems[1], truth, 4000, release::DiscreteLaplace(0.5), rng);
  const NetworkProblem joint = join_sets(problems);
  DriverOptions options;
  options.seed = 5;
  options.draws = 500;
  const ChainRun run = draw_network_tables(joint, options, {});
  const QuantityDraws n(run, network_quantities(joint) - 1, options.draws);
  EXPECT_NEAR(n.mean([](double x) { return x; }), 4000, 20);
  const QuantityDraws p(run, 0, options.draws);
  EXPECT_NEAR(p.mean([](double x) { return x; }), 0.7, 0.02);
  EXPECT_LT(p.rhat(), 1.05);
}

}  // namespace
}  // namespace postern::infer
