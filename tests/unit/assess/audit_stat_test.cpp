#include "postern/assess/audit_stat.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/release/noise_law.hpp"

namespace postern::assess {
namespace {

constexpr double kAlpha = 1e-6;

/// Runs of 0 + noise and of 1 + noise.
template <class Law>
AuditBound audit(const Law& law, std::size_t runs, Currency currency, std::uint64_t seed) {
  Rng rng(seed, 0, Purpose::test);
  std::vector<double> d(runs);
  std::vector<double> neighbour(runs);
  for (double& x : d) x = static_cast<double>(law.simulate(rng));
  for (double& x : neighbour) x = 1 + static_cast<double>(law.simulate(rng));
  return audit_lower_bound(d, neighbour, currency, kAlpha);
}

TEST(AuditBound, StaysBelowAnHonestClaim) {
  EXPECT_LE(audit(release::DiscreteLaplace(1.0), 20000, Currency::pure, 1).lower, 1.0);
  EXPECT_LE(audit(release::DiscreteLaplace(0.1), 200000, Currency::pure, 2).lower, 0.1);
  EXPECT_LE(audit(release::DiscreteGaussian(1.0), 20000, Currency::zcdp, 3).lower, 0.5);
  EXPECT_LE(audit(release::DiscreteGaussian(100.0), 200000, Currency::zcdp, 4).lower, 0.005);
}

// Halved noise is missed with probability <= 2e-9 at these sizes (lib/assess/src/audit_stat.md; twice them:
// half chooses the event).
TEST(AuditBound, CatchesHalvedNoise) {
  EXPECT_GT(audit(release::DiscreteLaplace(2.0), 2 * 2000, Currency::pure, 5).lower, 1.0);
  EXPECT_GT(audit(release::DiscreteLaplace(0.2), 2 * 60000, Currency::pure, 6).lower, 0.1);
  EXPECT_GT(audit(release::DiscreteGaussian(25.0), 2 * 100000, Currency::zcdp, 7).lower, 0.005);
}

/// A coin of log odds eps/2 and -eps/2 costs eps^2 / 8 of rho, and is not Gaussian: a threshold sees more
/// than Gaussian noise of that rho would show, and its divergence no more than there is.
TEST(AuditRenyiBound, HoldsOfACoinOnWhichTheGaussianOneDoesNot) {
  constexpr double kEpsilon = 0.5;
  Rng rng(8, 0, Purpose::test);
  const double heads = 1 / (1 + std::exp(-kEpsilon / 2));
  std::vector<double> d(400000);
  std::vector<double> neighbour(d.size());
  for (double& x : d) x = rng.uniform() < heads ? 1 : 0;
  for (double& x : neighbour) x = rng.uniform() < 1 - heads ? 1 : 0;
  const double rho = kEpsilon * kEpsilon / 8;
  EXPECT_GT(audit_lower_bound(d, neighbour, Currency::zcdp, kAlpha).lower, rho);
  EXPECT_LE(audit_renyi_bound(d, neighbour, kAlpha).lower, rho);
  EXPECT_GT(audit_renyi_bound(d, neighbour, kAlpha).lower, 0.8 * rho);
}

TEST(AuditBound, IsLargeForDisjointOutputs) {
  const std::vector<double> zeros(10000, 0.0);
  const std::vector<double> ones(10000, 1.0);
  EXPECT_GT(audit_lower_bound(zeros, ones, Currency::pure, kAlpha).lower, 5);
  EXPECT_EQ(audit_lower_bound(zeros, zeros, Currency::pure, kAlpha).lower, 0);
}

TEST(AuditBound, RefusesUnequalRuns) {
  const std::vector<double> few(3), more(5);
  EXPECT_THROW((void)audit_lower_bound(few, more, Currency::pure, kAlpha), Error);
}

}  // namespace
}  // namespace postern::assess
