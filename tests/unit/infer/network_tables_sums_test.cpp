// The chain on tables, given Fourier coefficients or choices, against the list of all latent data sets.

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/network/star_posterior.hpp"
#include "postern/infer/network/tables_chain.hpp"

#include "network_tables_reference.hpp"
#include "network_tables_support.hpp"

namespace postern::infer {
namespace {

constexpr double kAlpha = 1e-6;  ///< of all comparisons of one test together

/// By how many standard errors of the chain means and mean squares are off, at most.
struct Worst {
  double z = 0;
  std::size_t comparisons = 0;
  [[nodiscard]] double limit() const {
    return -normal_quantile(kAlpha / 2 / static_cast<double>(comparisons));
  }
};

void compare(const NetworkProblem& problem, std::uint64_t seed, Worst& worst) {
  const NetworkReference reference(problem);
  DriverOptions options;
  options.seed = seed;
  options.draws = 1500;
  const ChainRun run = draw_network_tables(problem, options, {});
  for (std::size_t q = 0; q < network_quantities(problem); ++q) {
    const QuantityDraws draws(run, q, options.draws);
    const NetworkReference::Moments& exact = reference.moments()[q];
    if (exact.sd() < 1e-9) continue;
    EXPECT_LT(draws.rhat(), 1.03);
    const double mean = draws.mean([](double x) { return x; });
    const double centred = draws.mean([&](double x) { return (x - exact.mean) * (x - exact.mean); });
    const double fourth = draws.mean([&](double x) { return std::pow(x - exact.mean, 4); });
    const double variance = exact.sd() * exact.sd();
    const double ess = std::min(draws.ess(), 6000.0);
    const double z = (mean - exact.mean) / (exact.sd() / std::sqrt(ess));
    const double z_variance = (centred - variance) / std::sqrt((fourth - variance * variance) / ess);
    worst.z = std::max({worst.z, std::abs(z), std::abs(z_variance)});
    worst.comparisons += 2;
  }
}

struct Shape {
  std::vector<std::uint32_t> sizes;
  Parents parents;
  std::int64_t n = 0;
};
/// A chain, a collider, naive Bayes, and a loop that no family holds; levels mixed.
const std::vector<Shape> kShapes{{{2, 2}, {{}, {0}}, 7},
                                 {{3, 2}, {{}, {0}}, 5},
                                 {{2, 2, 2}, {{}, {}, {0, 1}}, 5},
                                 {{2, 2, 3}, {{}, {0}, {0}}, 4},
                                 {{2, 2, 2, 2}, {{}, {0}, {0}, {1, 2}}, 3}};

NetworkProblem start(const Shape& shape, bool latent) {
  NetworkProblem problem = empty_network(shape.sizes, shape.parents, 0.5);
  problem.families[0].alpha[0] = 1.3;
  problem.total = KnownTotal{shape.n};
  if (latent) problem.total = LatentTotal{shape.n, -0.1};
  return problem;
}

TEST(NetworkTablesSums, CoefficientsEqualTheListOfDataSets) {
  Worst worst;
  Rng rng(20261118, 0, Purpose::test);
  for (std::size_t i = 0; i < 4 * kShapes.size(); ++i) {
    const Shape& shape = kShapes[i / 4];
    NetworkProblem problem = start(shape, i % 2 == 1);
    release::NoiseLaw law = release::DiscreteLaplace(0.3 + rng.uniform());
    if (i % 4 > 1) law = release::DiscreteGaussian(0.5 + 3 * rng.uniform());
    release_coefficients(problem, draw_truth(problem, rng), shape.n - static_cast<std::int64_t>(i % 2), law,
                         rng);
    SCOPED_TRACE("network " + std::to_string(i));
    compare(problem, i, worst);
  }
  EXPECT_LT(worst.z, worst.limit()) << worst.comparisons << " comparisons";
}

TEST(NetworkTablesSums, ChoicesEqualTheListOfDataSets) {
  Worst worst;
  Rng rng(20261118, 1, Purpose::test);
  for (std::size_t i = 0; i < 2 * kShapes.size(); ++i) {
    const Shape& shape = kShapes[i / 2];
    NetworkProblem problem = start(shape, i % 2 == 1);
    release_choices(problem, draw_truth(problem, rng), shape.n - static_cast<std::int64_t>(i % 2),
                    grid_law(41, 0.02, i % 3 == 0 ? 3 : 1, 0.5), 1 + i % 2, rng);
    SCOPED_TRACE("network " + std::to_string(i));
    compare(problem, i, worst);
  }
  EXPECT_LT(worst.z, worst.limit()) << worst.comparisons << " comparisons";
}

// Tables, coefficients and choices of one record set, as several releases give them; leaves that only tables
// tell of are still integrated out.
TEST(NetworkTablesSums, AllKindsOfReleasesAreCombined) {
  Worst worst;
  Rng rng(20261118, 2, Purpose::test);
  for (const Shape& shape : kShapes) {
    NetworkProblem problem = start(shape, false);
    const std::vector<double> truth = draw_truth(problem, rng);
    release_records(problem, truth, shape.n, release::DiscreteLaplace(0.5), rng);
    release_coefficients(problem, truth, shape.n, release::DiscreteGaussian(4), rng);
    release_choices(problem, truth, shape.n, grid_law(21, 0.05, 1, 0.5), 1, rng);
    const auto last = static_cast<std::uint32_t>(shape.sizes.size() - 1);
    std::erase_if(problem.coefficients, [&](const NoisyCoefficient& one) {
      return !one.variables.empty() && one.variables.back() == last;
    });
    std::erase_if(problem.choices, [&](const NetworkChoice& one) { return one.variable == last; });
    compare(problem, 1, worst);
  }
  EXPECT_LT(worst.z, worst.limit()) << worst.comparisons << " comparisons";
}

TEST(NetworkTablesSums, RefusesWhatIsNoSumOfTheNetwork) {
  const auto refuses = [](const NetworkProblem& problem) {
    DriverOptions options;
    options.draws = 2;
    EXPECT_THROW(static_cast<void>(draw_network_tables(problem, options, {})), Error);
  };
  const NoisyValue value{1, release::DiscreteLaplace(1)};
  NetworkProblem problem = start({{2, 2, 2}, {{}, {0}, {0}}, 5}, false);
  EXPECT_TRUE(StarPosterior::fits(problem));
  problem.coefficients = {{{0, 1}, {1, 1}, value}};
  EXPECT_FALSE(StarPosterior::fits(problem));
  problem.coefficients = {{{1, 2}, {1, 1}, value}};  // of no family
  refuses(problem);
  problem.coefficients = {{{0}, {2}, value}};
  refuses(problem);
  problem.coefficients = {{{1, 0}, {1, 1}, value}};
  refuses(problem);
  problem.coefficients.clear();
  const auto law = grid_law(5, 0.1, 1, 1);
  problem.choices = {{1, 1, 0, 1, 2, law, 0}};
  EXPECT_FALSE(StarPosterior::fits(problem));
  problem.choices = {{1, 2, 0, 1, 2, law, 0}};
  refuses(problem);
  problem.choices = {{1, 1, 0, 1, 3, law, 0}};
  refuses(problem);
  problem.choices = {{1, 1, 0, 1, 2, law, 5}};
  refuses(problem);
}

}  // namespace
}  // namespace postern::infer
