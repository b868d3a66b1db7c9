// Draws of different releases are independent under one seed, and so are those of different engines.
//
// A correlation of independent draws is below 4.9 / sqrt(effective draws) but for one time in 10^6.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/diagnostics.hpp"
#include "postern/infer/infer.hpp"

#include "engine_cases.hpp"

namespace postern::infer {
namespace {

Posterior drawn(const EngineCase& one, EngineChoice engine, char first) {
  InferOptions options;
  options.engine = engine;
  options.chains = 2;
  options.draws = 500;
  options.threads = 1;
  return infer(released(one, first), options, {});
}

struct Column {
  std::vector<double> draws;
  double ess = 0;
};

Column column(const Posterior& posterior, std::size_t quantity) {
  Column out;
  std::vector<std::span<const double>> chains;
  for (const std::vector<double>& chain : posterior.draws) {
    chains.push_back(std::span(chain).subspan(quantity * posterior.iterations, posterior.iterations));
    out.draws.insert(out.draws.end(), chains.back().begin(), chains.back().end());
  }
  const auto [least, most] = std::minmax_element(out.draws.begin(), out.draws.end());
  if (*least < *most) out.ess = std::max(4.0, bulk_ess(ChainDraws(chains)));
  return out;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<double>(a.size());
  double ma = 0, mb = 0, aa = 0, bb = 0, ab = 0;
  for (std::size_t i = 0; i < a.size(); ++i) ma += a[i] / n, mb += b[i] / n;
  for (std::size_t i = 0; i < a.size(); ++i) {
    aa += (a[i] - ma) * (a[i] - ma);
    bb += (b[i] - mb) * (b[i] - mb);
    ab += (a[i] - ma) * (b[i] - mb);
  }
  return ab / std::sqrt(aa * bb);
}

void expect_independent(const Posterior& a, const Posterior& b, const std::string& what) {
  std::size_t compared = 0;
  for (std::size_t q = 0; q < std::min(a.names.size(), b.names.size()); ++q) {
    const Column one = column(a, q);
    const Column other = column(b, q);
    if (one.ess == 0 || other.ess == 0) continue;
    ++compared;
    EXPECT_LT(std::abs(correlation(one.draws, other.draws)), 4.9 / std::sqrt(std::min(one.ess, other.ess)))
        << what << ", " << a.names[q];
  }
  EXPECT_GT(compared, 0U) << what;
}

void expect_own_streams(bool slow) {
  for (const EngineCase& one : engine_cases()) {
    if (is_slow(one) != slow) continue;
    std::optional<Posterior> before;
    for (const EngineChoice engine : one.engines) {
      const Posterior first = drawn(one, engine, 'a');
      const std::string what = one.name + " by " + first.engine;
      expect_independent(first, drawn(one, engine, static_cast<char>('a' + one.datasets)), what);
      // So that two engines can be compared by their draws.
      if (before && before->engine != first.engine)
        expect_independent(*before, first, what + " and " + before->engine);
      before = first;
    }
  }
}

TEST(Streams, OfOtherReleasesAndEnginesAreIndependent) { expect_own_streams(false); }
TEST(LongStreams, OfOtherReleasesAndEnginesAreIndependent) { expect_own_streams(true); }

TEST(Streams, AreTheSameForTheSameRelease) {
  const EngineCase one{"table", model::small_study({.levels = 3}), 200, {}};
  for (const EngineChoice engine : {EngineChoice::exact, EngineChoice::gibbs, EngineChoice::naive})
    EXPECT_EQ(drawn(one, engine, 'a').draws, drawn(one, engine, 'a').draws);
  EXPECT_EQ(drawn(one, EngineChoice::automatic, 'a').draws, drawn(one, EngineChoice::exact, 'a').draws);
}

// What a prior changes is seen without the noise of the draws: answers under several priors share it.
TEST(Streams, AreThoseOfAllPriorsOfARelease) {
  const EngineCase one{"table", model::small_study({.levels = 3}), 200, {}};
  const std::vector<release::Release> releases = released(one, 'a');
  InferOptions options;
  const Posterior stated = infer(releases, options, {});
  options.prior = std::vector<Rational>{2, 2, 2};
  const Posterior other = infer(releases, options, {});
  EXPECT_GT(correlation(column(stated, 0).draws, column(other, 0).draws), 0.5);
}

TEST(Streams, DoNotDependOnTheOrderOfReleases) {
  const EngineCase one{"proportions", model::small_study({}), 200, {}, 2};
  std::vector<release::Release> releases = released(one, 'a');
  const Posterior first = infer(releases, {}, {});
  std::reverse(releases.begin(), releases.end());
  const Posterior second = infer(releases, {}, {});
  EXPECT_GT(correlation(column(first, 0).draws, column(second, 0).draws), 0.99);
}

}  // namespace
}  // namespace postern::infer
