#include "postern/core/diagnostics.hpp"

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "test_data.hpp"

namespace postern {
namespace {

using Chains = std::vector<std::vector<double>>;

template <class F>
double measure(const F& f, const Chains& chains) {
  const std::vector<std::span<const double>> views(chains.begin(), chains.end());
  return f(ChainDraws(views));
}

/// A number equal to ArviZ's, which is NaN where ours is.
void expect_same(double got, double want, const std::string& what) {
  if (std::isnan(want)) {
    EXPECT_TRUE(std::isnan(got)) << what << ' ' << got;
  } else {
    EXPECT_NEAR(got, want, 1e-10 * std::abs(want)) << what;
  }
}

// The committed numbers are ArviZ's (tests/data/diagnostics/make.py).
TEST(Diagnostics, EqualThoseOfArviz) {
  std::ifstream in(test_data("diagnostics/chains.txt"));
  std::string name;
  std::size_t chains = 0;
  std::size_t draws = 0;
  std::string rhat;
  double bulk = 0;
  double tail = 0;
  int cases = 0;
  while (in >> name >> chains >> draws >> rhat >> bulk >> tail) {
    Chains values(chains, std::vector<double>(draws));
    for (auto& chain : values) {
      for (double& x : chain) ASSERT_TRUE(in >> x) << name;
    }
    expect_same(measure(rank_rhat, values), std::stod(rhat), name + " rhat");
    expect_same(measure(bulk_ess, values), bulk, name + " bulk");
    expect_same(measure(tail_ess, values), tail, name + " tail");
    ++cases;
  }
  EXPECT_EQ(cases, 12);
}

TEST(Diagnostics, OneChainIsSplitInTwo) {
  std::vector<double> chain;
  for (int i = 0; i < 100; ++i) chain.push_back(i < 50 ? i % 7 : 10 + i % 7);
  EXPECT_GT(measure(rank_rhat, Chains{chain}), 2);
  EXPECT_LT(measure(bulk_ess, Chains{chain}), 5);
}

TEST(Diagnostics, AreUndefinedForTooFewDrawsOrWildOnes) {
  for (const Chains& chains : {Chains{{1, 2, 3}, {2, 3, 1}}, Chains{{1, 2, NAN, 4, 5, 6}},
                               Chains{{1, 2, INFINITY, 4, 5, 6}}, Chains{}}) {
    EXPECT_TRUE(std::isnan(measure(rank_rhat, chains)));
    EXPECT_TRUE(std::isnan(measure(bulk_ess, chains)));
    EXPECT_TRUE(std::isnan(measure(tail_ess, chains)));
  }
}

TEST(Diagnostics, OfDrawsThatAreAllTheSame) {
  const Chains same(2, std::vector<double>(10, 3.0));
  EXPECT_TRUE(std::isnan(measure(rank_rhat, same)));
  EXPECT_EQ(measure(bulk_ess, same), 20);
  EXPECT_EQ(measure(tail_ess, same), 20);
}

}  // namespace
}  // namespace postern
