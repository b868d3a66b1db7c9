// What holds of every log-linear law, on random graphs.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/graph/factor.hpp"
#include "postern/graph/log_linear.hpp"

namespace postern::graph {
namespace {

struct RandomLaw {
  Sizes sizes;
  std::vector<Variables> cliques;
  std::vector<std::vector<double>> tables;

  explicit RandomLaw(Rng& rng) {
    const std::size_t count = 2 + draw_below(6, rng);
    for (std::size_t v = 0; v < count; ++v)
      sizes.push_back(1 + static_cast<std::uint32_t>(draw_below(4, rng)));
    for (std::size_t f = 1 + draw_below(8, rng); f > 0; --f) {
      Variables clique;
      for (std::uint32_t v = 0; v < count; ++v) {
        if (rng.uniform() < 0.4) clique.push_back(v);
      }
      std::vector<double> table(static_cast<std::size_t>(cells_of(clique, sizes)));
      for (double& t : table) t = 2 * draw_normal(rng);
      cliques.push_back(std::move(clique));
      tables.push_back(std::move(table));
    }
  }
  [[nodiscard]] std::vector<double> theta() const {
    std::vector<double> out;
    for (const auto& table : tables) out.insert(out.end(), table.begin(), table.end());
    return out;
  }
};

std::vector<double> random_vector(std::size_t size, Rng& rng) {
  std::vector<double> out(size);
  for (double& x : out) x = draw_normal(rng);
  return out;
}

TEST(LogLinearProperties, CovarianceIsSymmetricPositiveAndTheDerivativeOfMargins) {
  Rng rng(31, 0, Purpose::test);
  for (int i = 0; i < 100; ++i) {
    const RandomLaw law(rng);
    const LogLinear model(law.sizes, law.cliques);
    LogLinear::Workspace work = model.workspace();
    std::vector<double> theta = law.theta();
    const std::vector<double> u = random_vector(theta.size(), rng);
    const std::vector<double> v = random_vector(theta.size(), rng);
    std::vector<double> su(theta.size());
    std::vector<double> sv(theta.size());
    (void)model.evaluate(theta, work);
    model.covariance_times(u, work, su);
    model.covariance_times(v, work, sv);
    const auto dot = [](const auto& a, const auto& b) {
      return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    };
    EXPECT_NEAR(dot(u, sv), dot(v, su), 1e-11);
    EXPECT_GE(dot(u, su), -1e-12);
    for (std::size_t f = 0; f < law.cliques.size(); ++f) {  // every table has one record of each
      std::vector<double> ones(theta.size());
      std::fill(ones.begin() + static_cast<std::ptrdiff_t>(model.offset(f)),
                ones.begin() + static_cast<std::ptrdiff_t>(model.offset(f + 1)), 1.0);
      model.covariance_times(ones, work, su);
      for (const double x : su) EXPECT_NEAR(x, 0, 1e-12);
    }
    constexpr double h = 1e-5;
    for (std::size_t k = 0; k < theta.size(); ++k) theta[k] += h * v[k];
    (void)model.evaluate(theta, work);
    const std::vector<double> above = work.marginals;
    for (std::size_t k = 0; k < theta.size(); ++k) theta[k] -= 2 * h * v[k];
    (void)model.evaluate(theta, work);
    for (std::size_t k = 0; k < theta.size(); ++k)
      EXPECT_NEAR((above[k] - work.marginals[k]) / (2 * h), sv[k], 1e-8);
  }
}

TEST(LogLinearProperties, RenumberedVariablesAndReorderedCliquesChangeNothing) {
  Rng rng(32, 0, Purpose::test);
  for (int i = 0; i < 100; ++i) {
    const RandomLaw law(rng);
    RandomLaw other(law);
    const std::size_t count = law.sizes.size();
    Variables to(count);
    for (std::uint32_t v = 0; v < count; ++v) to[v] = static_cast<std::uint32_t>((v * 5 + 3) % count);
    if (sorted(to).size() != count) std::reverse(to.begin(), to.end());
    if (sorted(to).size() != count) continue;
    for (std::uint32_t v = 0; v < count; ++v) other.sizes[to[v]] = law.sizes[v];
    for (Variables& clique : other.cliques) {
      for (std::uint32_t& v : clique) v = to[v];
    }
    std::reverse(other.cliques.begin(), other.cliques.end());
    std::reverse(other.tables.begin(), other.tables.end());
    const LogLinear one(law.sizes, law.cliques);
    const LogLinear two(other.sizes, other.cliques);
    LogLinear::Workspace here = one.workspace();
    LogLinear::Workspace there = two.workspace();
    EXPECT_NEAR(one.evaluate(law.theta(), here), two.evaluate(other.theta(), there), 1e-10);
    for (std::size_t f = 0; f < law.cliques.size(); ++f) {
      const std::size_t g = law.cliques.size() - 1 - f;
      for (std::size_t k = 0; k < law.tables[f].size(); ++k)
        EXPECT_NEAR(here.marginals[one.offset(f) + k], there.marginals[two.offset(g) + k], 1e-10);
    }
  }
}

TEST(LogLinearProperties, MarginsAgreeAndAddUp) {
  Rng rng(33, 0, Purpose::test);
  for (int i = 0; i < 100; ++i) {
    const RandomLaw law(rng);
    const LogLinear model(law.sizes, law.cliques);
    LogLinear::Workspace work = model.workspace();
    std::vector<double> theta = law.theta();
    const double log_total = model.evaluate(theta, work);
    for (std::size_t f = 0; f < law.cliques.size(); ++f) {
      EXPECT_NEAR(
          std::accumulate(work.marginals.begin() + static_cast<std::ptrdiff_t>(model.offset(f)),
                          work.marginals.begin() + static_cast<std::ptrdiff_t>(model.offset(f + 1)), 0.0),
          1, 1e-12);
    }
    EXPECT_GE(entropy(theta, work), -1e-11);
    // A constant on one table moves the partition function alone.
    const std::vector<double> before = work.marginals;
    for (std::size_t k = 0; k < model.offset(1); ++k) theta[k] += 3.5;
    EXPECT_NEAR(model.evaluate(theta, work), log_total + 3.5, 1e-11);
    for (std::size_t k = 0; k < before.size(); ++k) EXPECT_NEAR(work.marginals[k], before[k], 1e-12);
  }
}

/// The probabilities of a clique's cells, summed to some of its variables.
Factor summed(const LogLinear& model, const LogLinear::Workspace& work, std::size_t clique,
              const Variables& to) {
  Sizes sizes;
  for (const std::uint32_t v : model.cliques()[clique]) sizes.push_back(model.sizes()[v]);
  std::vector<double> logs;
  for (std::size_t k = model.offset(clique); k < model.offset(clique + 1); ++k)
    logs.push_back(std::log(work.marginals[k]));
  return sum_to(Factor(model.cliques()[clique], sizes, logs), to);
}

TEST(LogLinearProperties, MarginsOfCliquesAgreeOnWhatTheyShare) {
  Rng rng(34, 0, Purpose::test);
  int shared = 0;
  for (int i = 0; i < 100; ++i) {
    const RandomLaw law(rng);
    const LogLinear model(law.sizes, law.cliques);
    LogLinear::Workspace work = model.workspace();
    (void)model.evaluate(law.theta(), work);
    for (std::size_t f = 0; f < law.cliques.size(); ++f) {
      for (std::size_t g = 0; g < f; ++g) {
        Variables both;
        std::ranges::set_intersection(law.cliques[f], law.cliques[g], std::back_inserter(both));
        const Factor one = summed(model, work, f, both);
        const Factor other = summed(model, work, g, both);
        ASSERT_EQ(one.logs().size(), other.logs().size());
        for (std::size_t k = 0; k < one.logs().size(); ++k)
          EXPECT_NEAR(std::exp(one.logs()[k]), std::exp(other.logs()[k]), 1e-12);
        shared += both.empty() ? 0 : 1;
      }
    }
  }
  EXPECT_GT(shared, 300);
}

TEST(LogLinearProperties, WhatOneTableGivesAnotherChangesNothing) {
  Rng rng(35, 0, Purpose::test);
  int moved = 0;
  for (int i = 0; i < 100; ++i) {
    const RandomLaw law(rng);
    const LogLinear model(law.sizes, law.cliques);
    LogLinear::Workspace work = model.workspace();
    std::vector<double> theta = law.theta();
    const double log_total = model.evaluate(theta, work);
    const std::vector<double> before = work.marginals;
    // A function of the first variable of one clique, from it to every other that has the variable.
    for (std::size_t f = 0; f < law.cliques.size(); ++f) {
      if (law.cliques[f].empty()) continue;
      const std::uint32_t v = law.cliques[f][0];
      const std::vector<double> effect = random_vector(law.sizes[v], rng);
      for (std::size_t g = 0; g < f; ++g) {
        const auto place = std::ranges::find(law.cliques[g], v);
        if (place == law.cliques[g].end()) continue;
        ++moved;
        const auto add = [&](std::size_t clique, std::size_t at, double sign) {
          std::size_t stride = 1;
          for (std::size_t k = at + 1; k < law.cliques[clique].size(); ++k)
            stride *= law.sizes[law.cliques[clique][k]];
          for (std::size_t k = 0; k < law.tables[clique].size(); ++k)
            theta[model.offset(clique) + k] += sign * effect[k / stride % law.sizes[v]];
        };
        add(f, 0, 1);
        add(g, static_cast<std::size_t>(place - law.cliques[g].begin()), -1);
      }
    }
    EXPECT_NEAR(model.evaluate(theta, work), log_total, 1e-11 * (1 + std::abs(log_total)));
    for (std::size_t k = 0; k < before.size(); ++k) EXPECT_NEAR(work.marginals[k], before[k], 1e-11);
    EXPECT_NEAR(kl_divergence(model, law.theta(), model, theta), 0, 1e-10);
  }
  EXPECT_GT(moved, 100);
}

TEST(LogLinearProperties, DivergenceIsThatOfConjugateFunctions) {
  Rng rng(36, 0, Purpose::test);
  for (int i = 0; i < 100; ++i) {
    const RandomLaw law(rng);
    const LogLinear model(law.sizes, law.cliques);
    LogLinear::Workspace work = model.workspace();
    const std::vector<double> theta = law.theta();
    const std::vector<double> other = random_vector(theta.size(), rng);
    const double log_total = model.evaluate(theta, work);
    EXPECT_NEAR(expected_log_weight(theta, work.marginals) - log_total + entropy(theta, work), 0,
                1e-12 * (1 + std::abs(log_total)));
    (void)model.evaluate(other, work);  // q; KL(q || p) = A(theta) - theta . mu - H(q)
    const double divergence = kl_divergence(model, other, model, theta);
    EXPECT_NEAR(divergence, log_total - expected_log_weight(theta, work.marginals) - entropy(other, work),
                1e-11 * (1 + std::abs(log_total)));
    EXPECT_GE(divergence, -1e-10);
    EXPECT_NEAR(kl_divergence(model, theta, model, theta), 0, 1e-10);
  }
}

TEST(LogLinearProperties, NoRecordIsLikelierThanTheMaximum) {
  Rng rng(37, 0, Purpose::test);
  for (int i = 0; i < 100; ++i) {
    const RandomLaw law(rng);
    const LogLinear model(law.sizes, law.cliques);
    LogLinear::Workspace work = model.workspace();
    const std::vector<double> theta = law.theta();
    const double most = model.maximum(theta, work);
    (void)model.evaluate(theta, work);
    const auto records = model.propagation().draw_records(work.propagation, 50, Sampling::independent, rng);
    for (std::size_t r = 0; r < 50; ++r) {
      double weight = 0;
      for (std::size_t f = 0; f < law.cliques.size(); ++f) {
        std::size_t cell = 0;
        for (const std::uint32_t v : law.cliques[f]) cell = cell * law.sizes[v] + records[v][r];
        weight += law.tables[f][cell];
      }
      EXPECT_LE(weight, most + 1e-12 * (1 + std::abs(most)));
    }
  }
}

}  // namespace
}  // namespace postern::graph
