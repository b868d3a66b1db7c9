// What holds of every log-linear law, on random graphs.

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
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

}  // namespace
}  // namespace postern::graph
