#include <cmath>

#include <gtest/gtest.h>

#include "network/star/star_plan.hpp"
#include "network/star/star_tree.hpp"
#include "star_problems.hpp"

// Windows, tilts and transforms against sums over everything.

namespace postern::infer {
namespace {

using release::DiscreteGaussian;
using release::DiscreteLaplace;

constexpr std::size_t kMemory = std::size_t{1} << 30;

void expect_same(const NetworkProblem& problem, const std::string& name) {
  const std::optional<StarView> star = StarView::of(problem);
  ASSERT_TRUE(star);
  const StarTree whole(*star, whole_plan(*star), 1);
  const StarTree part = make_star_tree(*star, window_plan(*star, 1), kMemory, 1);
  EXPECT_NEAR(part.log_evidence(), whole.log_evidence(), 2e-11) << name;
  for (std::size_t c = 0; c < star->classes(); ++c) {
    const ClassLaw& a = part.law(c);
    const ClassLaw& b = whole.law(c);
    double mean_a = 0;
    double mean_b = 0;
    for (const double x : a.share) mean_a += x;
    for (const double x : b.share) mean_b += x;
    EXPECT_NEAR(mean_a, mean_b, 2e-11) << name;
    for (std::int64_t n = 0; n <= star->most(); n += 7)
      ASSERT_NEAR(a.count.at(n), b.count.at(n), 2e-11) << name << ", class " << c << ", N " << n;
  }
}

TEST(StarWindows, AreAsGoodAsEverything) {
  Rng rng(1, 0, Purpose::test);
  for (const bool latent : {false, true}) {
    for (const double scale : {3.0, 10.0, 60.0, 2000.0}) {
      for (const bool gaussian : {false, true}) {
        StarOptions options;
        options.classes = 3;
        options.leaves = {2, 3, 2, 5};
        options.n = 400;
        options.latent = latent;
        options.releases = {gaussian ? release::NoiseLaw(DiscreteGaussian(2 * scale * scale))
                                     : release::NoiseLaw(DiscreteLaplace(1 / scale))};
        const std::string name = std::string(latent ? "latent" : "known") +
                                 (gaussian ? ", Gaussian " : ", Laplace ") + std::to_string(scale);
        expect_same(simulate_star(options, rng).problem, name);
      }
    }
  }
}

TEST(StarWindows, AreAsGoodAsEverythingForOtherPriors) {
  Rng rng(2, 0, Purpose::test);
  for (const bool latent : {false, true}) {
    for (const double alpha : {0.01, 1.0, 30.0}) {
      StarOptions options;
      options.leaves = {3, 2, 2};
      options.n = 1200;
      options.alpha = alpha;
      options.latent = latent;
      options.releases = {DiscreteLaplace(0.1), DiscreteGaussian(3000.0)};
      NetworkProblem problem = simulate_star(options, rng).problem;
      problem.families[0].noisy_values[1].clear();
      expect_same(problem, std::to_string(alpha));
    }
  }
}

TEST(StarWindows, AreAsGoodAsEverythingForManyLeaves) {
  Rng rng(3, 0, Purpose::test);
  for (const bool latent : {false, true}) {
    StarOptions options;
    options.leaves.assign(60, 2);
    options.n = 1000;
    options.latent = latent;
    options.releases = {DiscreteLaplace(0.02)};
    expect_same(simulate_star(options, rng).problem, latent ? "latent" : "known");
  }
}

TEST(StarWindows, AreAsGoodAsEverythingForLeavesOfManyLevels) {
  Rng rng(4, 0, Purpose::test);
  for (const bool latent : {false, true}) {
    StarOptions options;
    options.leaves = {80, 2, 30};
    options.n = 800;
    options.latent = latent;
    options.releases = {DiscreteLaplace(0.2)};
    expect_same(simulate_star(options, rng).problem, latent ? "latent" : "known");
  }
}

}  // namespace
}  // namespace postern::infer
