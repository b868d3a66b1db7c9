// Every small graph, every quantity of a log-linear law, against the table of all states.

#include "postern/graph/log_linear.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

namespace postern::graph {
namespace {

constexpr double kClose = 1e-12;

struct Shape {
  const char* name;
  Sizes sizes;
  std::vector<Variables> cliques;
  bool zeros = false;
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all{
      {"chain", {2, 3, 2}, {{0, 1}, {1, 2}}},
      {"triangle", {2, 2, 3}, {{0, 1}, {1, 2}, {0, 2}}},
      {"cycle4", {2, 3, 2, 2}, {{0, 1}, {1, 2}, {2, 3}, {0, 3}}},
      {"cycle5", {2, 2, 3, 2, 2}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 4}}},
      {"star", {3, 2, 2, 4}, {{0, 1}, {0, 2}, {0, 3}}},
      {"triples", {2, 3, 2, 2}, {{0, 1, 2}, {1, 2, 3}}},
      {"disconnected", {2, 2, 3}, {{0, 1}, {2}}},
      {"withUnmeasured", {2, 3, 2}, {{0, 2}}},
      {"permuted", {2, 3, 4}, {{2, 0}, {1, 0}, {2, 1}}},
      {"nested", {2, 3, 2}, {{0, 1}, {0}, {1}, {0, 1}, {1, 2}}},
      {"withEmptyClique", {2, 3}, {{}, {0, 1}}},
      {"levelsOfOne", {1, 3, 1, 2}, {{0, 1}, {1, 2}, {2, 3}, {0}}},
      {"oneVariable", {4}, {{0}}},
      {"noCliques", {3, 2}, {}},
      {"noVariables", {}, {}},
      {"oneClique", {2, 3, 2}, {{0, 1, 2}}},
      {"cycleWithZeros", {2, 3, 2, 2}, {{0, 1}, {1, 2}, {2, 3}, {0, 3}}, true},
      {"grid", {2, 2, 2, 2, 2, 2}, {{0, 1}, {1, 2}, {3, 4}, {4, 5}, {0, 3}, {1, 4}, {2, 5}}},
      {"complete", {3, 2, 2, 2}, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}},
  };
  return all;
}

/// All states of a law with their probabilities.
struct Enumeration {
  std::vector<std::vector<std::size_t>> cells;  ///< of each state, the cell of each clique in theta
  std::vector<double> log_weights;
  double log_total = kMinusInfinity;

  Enumeration(const LogLinear& model, std::span<const double> theta) {
    std::size_t states = 1;
    for (const std::uint32_t size : model.sizes()) states *= size;
    for (std::size_t s = 0; s < states; ++s) {
      std::vector<std::size_t> level(model.sizes().size());
      std::size_t left = s;
      for (std::size_t v = level.size(); v-- > 0; left /= model.sizes()[v])
        level[v] = left % model.sizes()[v];
      double weight = 0;
      auto& hit = cells.emplace_back();
      for (std::size_t f = 0; f < model.cliques().size(); ++f) {
        std::size_t cell = 0;
        for (const std::uint32_t v : model.cliques()[f]) cell = cell * model.sizes()[v] + level[v];
        hit.push_back(model.offset(f) + cell);
        weight += theta[hit.back()];
      }
      log_weights.push_back(weight);
    }
    log_total = log_sum_exp(log_weights);
  }
  [[nodiscard]] double probability(std::size_t s) const { return std::exp(log_weights[s] - log_total); }
};

class EveryShape : public ::testing::TestWithParam<Shape> {
 protected:
  [[nodiscard]] static std::vector<double> random_theta(const LogLinear& model, bool zeros, Rng& rng,
                                                        double scale = 1.5) {
    std::vector<double> theta(model.dimension());
    for (double& t : theta) t = zeros && rng.uniform() < 0.2 ? kMinusInfinity : scale * draw_normal(rng);
    return theta;
  }
};

TEST_P(EveryShape, PartitionMarginalsEntropyAndMaximum) {
  const LogLinear model(GetParam().sizes, GetParam().cliques);
  LogLinear::Workspace work = model.workspace();
  Rng rng(3, 0, Purpose::test);
  for (int i = 0; i < 20; ++i) {
    const std::vector<double> theta = random_theta(model, GetParam().zeros, rng, i % 5 == 4 ? 30 : 1.5);
    const Enumeration all(model, theta);
    if (all.log_total == kMinusInfinity) continue;
    const double close = kClose * (1 + std::abs(all.log_total));
    EXPECT_NEAR(model.maximum(theta, work), *std::ranges::max_element(all.log_weights), close);
    EXPECT_NEAR(model.log_partition(theta, work), all.log_total, close);
    EXPECT_NEAR(model.evaluate(theta, work), all.log_total, close);
    std::vector<double> marginals(model.dimension());
    double wanted_entropy = 0;
    for (std::size_t s = 0; s < all.cells.size(); ++s) {
      const double p = all.probability(s);
      if (p > 0) wanted_entropy -= p * std::log(p);
      for (const std::size_t cell : all.cells[s]) marginals[cell] += p;
    }
    for (std::size_t k = 0; k < marginals.size(); ++k) EXPECT_NEAR(work.marginals[k], marginals[k], close);
    EXPECT_NEAR(entropy(theta, work), wanted_entropy, 10 * close);
  }
}

TEST_P(EveryShape, CovarianceTimesAVector) {
  const LogLinear model(GetParam().sizes, GetParam().cliques);
  LogLinear::Workspace work = model.workspace();
  Rng rng(4, 0, Purpose::test);
  for (int i = 0; i < 10; ++i) {
    const std::vector<double> theta = random_theta(model, GetParam().zeros, rng);
    const Enumeration all(model, theta);
    if (model.evaluate(theta, work) == kMinusInfinity) continue;
    std::vector<double> v(model.dimension());
    for (double& x : v) x = draw_normal(rng);
    std::vector<double> wanted(v.size());
    double mean = 0;
    for (std::size_t s = 0; s < all.cells.size(); ++s) {
      double dot = 0;
      for (const std::size_t cell : all.cells[s]) dot += v[cell];
      mean += all.probability(s) * dot;
      for (const std::size_t cell : all.cells[s]) wanted[cell] += all.probability(s) * dot;
    }
    std::vector<double> got(v.size());
    model.covariance_times(v, work, got);
    for (std::size_t k = 0; k < v.size(); ++k)
      EXPECT_NEAR(got[k], wanted[k] - mean * work.marginals[k], kClose);
    // A constant on one table moves nothing.
    if (model.cliques().empty()) continue;
    std::fill(v.begin(), v.end(), 0.0);
    std::fill(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(model.offset(1)), 1.0);
    model.covariance_times(v, work, got);
    for (const double x : got) EXPECT_NEAR(x, 0, kClose);
  }
}

TEST_P(EveryShape, DivergenceFromAnotherLawAndAnotherGraph) {
  const LogLinear model(GetParam().sizes, GetParam().cliques);
  Rng rng(5, 0, Purpose::test);
  const std::vector<double> p = random_theta(model, GetParam().zeros, rng);
  const Enumeration all(model, p);
  if (all.log_total == kMinusInfinity) return;
  const auto wanted = [&](const Enumeration& other) {
    double kl = 0;
    for (std::size_t s = 0; s < all.cells.size(); ++s) {
      const double mass = all.probability(s);
      if (mass > 0)
        kl += mass * (all.log_weights[s] - all.log_total - other.log_weights[s] + other.log_total);
    }
    return kl;
  };
  const std::vector<double> q = random_theta(model, false, rng);
  EXPECT_NEAR(kl_divergence(model, p, model, q), wanted(Enumeration(model, q)), kClose);
  EXPECT_NEAR(kl_divergence(model, p, model, p), 0, kClose);
  std::vector<Variables> each;
  for (std::uint32_t v = 0; v < GetParam().sizes.size(); ++v) each.push_back({v});
  const LogLinear apart(GetParam().sizes, each);
  const std::vector<double> r = random_theta(apart, false, rng);
  EXPECT_NEAR(kl_divergence(model, p, apart, r), wanted(Enumeration(apart, r)), kClose);
}

INSTANTIATE_TEST_SUITE_P(LogLinear, EveryShape, ::testing::ValuesIn(shapes()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(LogLinear, DivergenceIsInfiniteWhereOnlyOneLawHasAZero) {
  const LogLinear model({2, 2}, {{0, 1}});
  const std::vector<double> zero{0, kMinusInfinity, 0, 0};
  const std::vector<double> flat(4);
  EXPECT_EQ(kl_divergence(model, flat, model, zero), std::numeric_limits<double>::infinity());
  EXPECT_NEAR(kl_divergence(model, zero, model, flat), std::log(4.0 / 3), kClose);
  EXPECT_THROW((void)kl_divergence(model, std::vector<double>(4, kMinusInfinity), model, flat), Error);
}

TEST(LogLinear, ZerosThatContradictLeaveNoState) {
  const LogLinear model({2, 2}, {{0}, {0, 1}});
  LogLinear::Workspace work = model.workspace();
  EXPECT_EQ(model.evaluate(std::vector{0.0, kMinusInfinity, kMinusInfinity, kMinusInfinity, 0.0, 0.0}, work),
            kMinusInfinity);
}

TEST(LogLinear, HeldOutRecords) {
  const LogLinear model({2, 3}, {{0, 1}});
  std::vector<double> theta{0, 1, 2, 0, 0.5, kMinusInfinity};
  LogLinear::Workspace work = model.workspace();
  const double log_total = model.evaluate(theta, work);
  const std::vector<std::vector<std::uint32_t>> records{{0, 0, 1}, {2, 1, 1}};
  const HeldOut score = held_out(model, theta, work, records);
  const double mean = (2 + 1 + 0.5) / 3;
  EXPECT_NEAR(score.mean_log_probability, mean - log_total, kClose);
  const double variance = (std::pow(2 - mean, 2) + std::pow(1 - mean, 2) + std::pow(0.5 - mean, 2)) / 2;
  EXPECT_NEAR(score.standard_error, std::sqrt(variance / 3), kClose);
  EXPECT_NEAR(score.uniform, -std::log(6), kClose);
  const std::vector<std::vector<std::uint32_t>> impossible{{0, 1, 0}, {2, 2, 0}};
  EXPECT_EQ(held_out(model, theta, work, impossible).mean_log_probability, kMinusInfinity);
}

TEST(LogLinear, RefusesCliquesThatAreNoneAndTooLarge) {
  const auto refusal = [](const Sizes& sizes, const std::vector<Variables>& cliques, double bytes = 1e9) {
    try {
      const LogLinear model(sizes, cliques, bytes);
    } catch (const Error& error) {
      return std::string(error_name(error.code())) + ": " + error.what();
    }
    return std::string("made");
  };
  EXPECT_EQ(refusal({2, 2}, {{0, 2}}), "bad-value: a clique names variable 2 of a network that has 2");
  EXPECT_EQ(refusal({2, 2}, {{1, 1}}), "bad-value: a clique names a variable twice");
  EXPECT_EQ(refusal({2, 0}, {{1}}).substr(0, 9), "bad-value");
  EXPECT_EQ(refusal(Sizes(40, 10), {Variables{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}, 1e9).substr(0, 12),
            "engine-limit");
}

}  // namespace
}  // namespace postern::graph
