// The scores by which a chooser chooses: their cost by brute force, their likelihood by enumeration, and
// whole simulated studies with the choice in the loop.

#include <cmath>

#include <gtest/gtest.h>

#include "postern/assess/simulate.hpp"
#include "postern/release/choice.hpp"
#include "postern/release/verify.hpp"

#include "chooser.hpp"

namespace postern::release {
namespace {

using Counts = std::vector<std::int64_t>;

const model::DistanceScores kScores{{"b", "c"}, {3, 2}};

std::vector<Int128> scores_of(const Counts& counts, const model::Study& study) {
  const model::Statistic statistic = kScores;
  return statistic.kind().from_counts(statistic, study.schema, counts);
}

/// How far the change parts the two candidates.
Int128 parted(const Counts& before, const Counts& after, const model::Study& study) {
  const auto u = scores_of(before, study);
  const auto v = scores_of(after, study);
  const Int128 apart = (v[0] - u[0]) - (v[1] - u[1]);
  return apart < 0 ? -apart : apart;
}

TEST(DistanceScores, CostWhatBruteForceFinds) {
  for (const model::Adjacency adjacency : {model::Adjacency::add_remove, model::Adjacency::replace_one}) {
    const model::Study study = model::chooser_study({.adjacency = adjacency});
    Int128 worst = 0;
    for (int code = 0; code < 625; ++code) {
      const Counts counts{code % 5, code / 5 % 5, code / 25 % 5, code / 125};
      for (std::size_t joins = 0; joins < 4; ++joins) {
        Counts more = counts;
        ++more[joins];
        for (std::size_t leaves = 0; leaves < 4; ++leaves) {
          Counts moved = more;
          if (adjacency == model::Adjacency::replace_one && --moved[leaves] < 0) continue;
          worst = std::max(worst, parted(counts, moved, study));
        }
      }
    }
    const model::Measurement choice{{{kScores, {model::NoiseKind::exponential, Rational(1, 7)}, 1}}};
    EXPECT_EQ(model::cost(choice, study.schema, study.privacy), Rational(static_cast<long>(worst), 7));
  }
}

/// An analyst who holds the table of all three columns: n of them, in any cell, is given the choice and
/// weighs every table by it. The weights are those of the mechanism, written out.
TEST(ChoiceOfColumns, IsWeighedByALatentTableOfMoreColumns) {
  const model::Study study = model::chooser_study({});
  const std::vector<std::string> held{"c", "a", "b"};
  const double scale = 0.3;
  for (const Int128 chosen : {0, 1}) {
    const MeasuredBlock block{{kScores, {model::NoiseKind::exponential, Rational(3, 10)}, 1}, {chosen}};
    const auto likelihood = ChoiceLikelihood::make(block, study.schema, held);
    ASSERT_TRUE(likelihood);
    for (std::size_t cell = 0; cell < 8; ++cell) {
      Counts counts{4, 0, 1, 2, 0, 3, 1, 1};
      counts[cell] += 2;
      // Cells are (c, a, b): c is the first of three bits, b the last.
      double no_b = 0;
      double no_c = 0;
      double n = 0;
      for (std::size_t i = 0; i < 8; ++i) {
        const auto here = static_cast<double>(counts[i]);
        n += here;
        if (i % 2 == 0) no_b += here;
        if (i < 4) no_c += here;
      }
      const double b = std::exp(scale * (std::abs(no_b - 3) + std::abs(n - no_b - 2)));
      const double c = std::exp(scale * (std::abs(no_c - 3) + std::abs(n - no_c - 2)));
      EXPECT_NEAR(likelihood->log_likelihood(counts), std::log((chosen == 0 ? b : c) / (b + c)), 1e-12);
    }
  }
}

TEST(ChoiceOfColumns, IsIgnoredAndSaidSoWhereTheTableIsNotHeld) {
  Release release;
  release.study = model::chooser_study({});
  release.blocks = {{{kScores, {model::NoiseKind::exponential, Rational(1)}, 1}, {0}}};
  const std::vector<std::string> lacking{"a", "b"};
  EXPECT_FALSE(ChoiceLikelihood::make(release.blocks[0], release.study.schema, lacking));
  EXPECT_EQ(ignored_choices(release, std::vector<std::vector<std::string>>{{"a", "b"}, {"c"}}),
            std::vector<std::string>{"the posterior ignores the choice of the least expected of b, c"});
  EXPECT_TRUE(ignored_choices(release, std::vector<std::vector<std::string>>{{"a"}, {"c", "b"}}).empty());
}

TEST(SimulatedRounds, AreTrueReleasesAndChooseByTheirLaw) {
  const model::Study study = model::chooser_study({.rule = "thrifty"});
  const auto plan =
      model::make_noise_plan(study, model::default_mechanism(study), Spend::parse(Currency::pure, "2"));
  double expected = 0;
  double variance = 0;
  double chosen = 0;
  constexpr int kStudies = 2000;
  for (int i = 0; i < kStudies; ++i) {
    Rng rng(11, static_cast<std::uint32_t>(i), Purpose::test);
    const auto made = assess::simulate_study(study, plan, 12, rng, model::found_counts);
    ASSERT_TRUE(all_passed(verify(made.release))) << i;
    const auto likelihood =
        ChoiceLikelihood::make(made.release.blocks[1], study.schema, std::vector<std::string>{"b", "c"});
    Counts counts(4, 0);
    made.records->for_each([&](std::span<const std::uint32_t> levels, std::int64_t count) {
      counts[levels[1] * 2 + levels[2]] += count;
    });
    const auto second = static_cast<double>(likelihood->chosen());
    const double of_it = std::exp(likelihood->log_likelihood(counts));
    const double p = second == 1 ? of_it : 1 - of_it;
    chosen += second;
    expected += p;
    variance += p * (1 - p);
  }
  EXPECT_NEAR(chosen, expected, 4.9 * std::sqrt(variance));
}

}  // namespace
}  // namespace postern::release
