// Releases that say what their own studies rule out, and how seldom others are taken for such.

#include "postern/infer/warnings/declared.hpp"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/rng.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/statistic/table.hpp"
#include "postern/release/noise_sum.hpp"

#include "number_studies.hpp"
#include "small_studies.hpp"
#include "vector_studies.hpp"

namespace postern::infer {
namespace {

using model::Adjacency;

/// A release of these values, one list a block.
release::Release release_of(const model::Study& study, const std::vector<std::vector<std::int64_t>>& values,
                            std::int64_t n = 0, const Rational& epsilon = 1) {
  release::Release out;
  out.study = study;
  if (study.privacy.n_at_most) {
    out.n = release::PrivateCount{*study.privacy.n_at_most};
  } else {
    out.n = release::PublicCount{n};
  }
  const model::NoisePlan plan = model::small_plan(study, epsilon);
  for (std::size_t b = 0; b < plan.measurement.blocks.size(); ++b)
    out.blocks.push_back(
        {plan.measurement.blocks[b], std::vector<Int128>(values.at(b).begin(), values.at(b).end())});
  return out;
}

std::string names(const std::vector<const release::Release*>& releases, double chance = kChance) {
  std::string out;
  for (const Warning& warning : contradictions(releases, chance))
    out += (out.empty() ? "" : " ") + warning.name;
  return out;
}
std::string names(const release::Release& release) { return names({&release}); }

model::Study coin(std::int64_t at_most) {
  return model::small_study({.adjacency = Adjacency::add_remove, .n_at_most = at_most});
}
model::Study table(std::uint32_t levels) { return model::small_study({.levels = levels}); }
model::Study poisson(std::int64_t at_most) {
  model::Study study = model::number_study(*model::find_number_family("poisson"),
                                           {{0, 20}, Adjacency::add_remove, Currency::pure});
  study.privacy.n_at_most = at_most;
  return study;
}

TEST(Declared, BoundBelowTheNumberOfRecordsIsSeen) {
  EXPECT_EQ(names(release_of(coin(40), {{690, 310}})), "n-above-bound");
  EXPECT_EQ(names(release_of(poisson(40), {{2000}, {1000}})), "n-above-bound");
  const release::Release release = release_of(coin(40), {{690, 310}});
  const std::string text = contradictions({&release}).front().text;
  EXPECT_NE(text.find("about 1000"), std::string::npos) << text;
  EXPECT_NE(text.find("at most 40"), std::string::npos) << text;
  EXPECT_NE(text.find("n = { at_most = N }"), std::string::npos) << text;
}

TEST(Declared, GenerousBoundsAreNot) {
  for (const std::int64_t at_most : {1000L, 100'000L, 1L << 40}) {
    EXPECT_EQ(names(release_of(coin(at_most), {{690, 310}})), "");
    EXPECT_EQ(names(release_of(coin(at_most), {{-3, 2}})), "");
    EXPECT_EQ(names(release_of(poisson(at_most), {{2000}, {1000}})), "");
    EXPECT_EQ(names(release_of(poisson(at_most), {{0}, {0}})), "");
  }
}

TEST(Declared, TotalsBelowNothingAreSeen) {
  EXPECT_EQ(names(release_of(coin(40), {{-100, 10}})), "n-below-zero value-out-of-reach");
  EXPECT_EQ(names(release_of(poisson(40), {{10}, {-1000}})), "n-below-zero");
}

// The count of the Poisson study is one number with Laplace noise: its tail is known exactly.
TEST(Declared, TheBoundaryIsWhereTheTailSaysSo) {
  const model::Study study = poisson(40);
  const model::Noise noise = release_of(study, {{0}, {0}}).blocks.at(1).block.noise;
  const release::NoiseSum law(release::noise_law(noise));
  std::int64_t gap = 1;
  while (law.log_tail(static_cast<double>(gap)) >= std::log(1e-4)) ++gap;
  EXPECT_EQ(names(release_of(study, {{80}, {40 + gap - 1}})), "");
  EXPECT_EQ(names(release_of(study, {{80}, {40 + gap}})), "n-above-bound");
  EXPECT_EQ(names(release_of(study, {{0}, {-gap + 1}})), "");
  EXPECT_EQ(names(release_of(study, {{0}, {-gap}})), "n-below-zero");
}

TEST(Declared, CountsAndSumsOutOfReachAreSeen) {
  EXPECT_EQ(names(release_of(table(2), {{70}}, 100)), "");
  EXPECT_EQ(names(release_of(table(2), {{160}}, 100)), "value-out-of-reach");
  EXPECT_EQ(names(release_of(table(2), {{-60}}, 100)), "value-out-of-reach");
  EXPECT_EQ(names(release_of(table(3), {{20, 30, 50}}, 100)), "");
  EXPECT_EQ(names(release_of(table(3), {{20, 30, 500}}, 100)), "total-not-n value-out-of-reach");
  EXPECT_EQ(names(release_of(table(3), {{-100, 150, 50}}, 100)), "value-out-of-reach");
  EXPECT_EQ(names(release_of(poisson(1000), {{100 * 20 + 200}, {100}})), "");
  EXPECT_EQ(names(release_of(poisson(1000), {{100 * 20 + 3000}, {100}})), "value-out-of-reach");
}

TEST(Declared, SquaresAndProductsAreSeenToo) {
  const model::Study pair = model::vector_study({{0, 4}, {-2, 2}}, Adjacency::replace_one, Currency::pure);
  std::vector<std::vector<std::int64_t>> values;
  const auto blocks = model::small_plan(pair, 1).measurement.blocks;
  for (const model::Block& block : blocks) values.emplace_back(block.size, 0);
  EXPECT_EQ(names(release_of(pair, values, 1000)), "");
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (const std::int64_t far : {-100'000, 100'000}) {
      auto edited = values;
      edited[b][0] = far;
      EXPECT_EQ(names(release_of(pair, edited, 1000)), "value-out-of-reach") << b << ' ' << far;
    }
  }
}

/// What a block of a coin, a table or the Poisson study counts of n records, all with the value 0 or `level`.
std::int64_t exact(const model::Block& block, std::size_t cell, std::int64_t n, std::int64_t level = 0) {
  if (block.statistic.as<model::RecordCount>() != nullptr) return n;
  if (block.statistic.as<model::Table>() != nullptr) return cell == 0 ? n : 0;
  return n * level;
}

/// Releases of n records whose noise is drawn from its law, or is 0 without `rng`.
std::vector<release::Release> releases_of(const model::Study& study, std::int64_t n, const Rational& epsilon,
                                          int count, Rng* rng) {
  std::vector<std::vector<std::int64_t>> zeros;
  for (const model::Block& block : model::small_plan(study, epsilon).measurement.blocks)
    zeros.emplace_back(block.size, 0);
  std::vector<release::Release> out(static_cast<std::size_t>(count), release_of(study, zeros, n, epsilon));
  for (release::Release& release : out) {
    for (release::MeasuredBlock& block : release.blocks) {
      const release::NoiseLaw law = release::noise_law(block.block.noise);
      for (std::size_t cell = 0; cell < block.values.size(); ++cell)
        block.values[cell] =
            exact(block.block, cell, n, 2) + (rng == nullptr ? Int128{0} : release::simulate(law, *rng));
    }
  }
  return out;
}

std::vector<const release::Release*> set_of(const std::vector<release::Release>& releases) {
  std::vector<const release::Release*> out;
  for (const release::Release& release : releases) out.push_back(&release);
  return out;
}

/// So much noise that hardly any release alone says anything.
Rational faint(const model::Study& study) {
  return study.model.kind().family(study.model) == "poisson" ? Rational(1, 10) : Rational(1, 100);
}

TEST(Declared, ManyNoisyReleasesContradictABoundTogether) {
  Rng rng(5, 0, Purpose::test);
  for (const model::Study& study : {coin(40), poisson(40)}) {
    const auto releases = releases_of(study, 300, faint(study), 20, &rng);
    ASSERT_EQ(names(set_of(releases)), "n-above-bound");
    int alone = 0;
    for (const release::Release& release : releases) alone += names(release).empty() ? 0 : 1;
    EXPECT_EQ(alone, 0);
    const std::string text = contradictions(set_of(releases)).front().text;
    EXPECT_NE(text.find("the mean of the 20 released totals"), std::string::npos) << text;
  }
}

TEST(Declared, ManyNoisyReleasesContradictZeroAndAPublicNTogether) {
  Rng rng(6, 0, Purpose::test);
  for (const model::Study& study : {coin(40), poisson(40)}) {
    const auto releases = releases_of(study, -300, faint(study), 20, &rng);
    EXPECT_EQ(names(set_of(releases)).rfind("n-below-zero", 0), 0U);
  }
  for (const std::int64_t stated : {100, 1000}) {
    auto releases = releases_of(table(3), 500, Rational(1, 50), 20, &rng);
    for (release::Release& release : releases) release.n = release::PublicCount{stated};
    EXPECT_EQ(names(set_of(releases)).rfind("total-not-n", 0), 0U) << stated;
  }
}

TEST(Declared, MoreReleasesDoNotHideWhatOneSays) {
  for (const model::Study& study : {coin(40), poisson(40)}) {
    auto releases = releases_of(study, 300, 1, 1, nullptr);
    ASSERT_EQ(names(set_of(releases)), "n-above-bound");
    for (const release::Release& weak : releases_of(study, 300, Rational(1, 1000), 50, nullptr))
      releases.push_back(weak);
    EXPECT_EQ(names(set_of(releases)), "n-above-bound");
  }
}

// Releases as noisy as each other, and of very different precision.
TEST(Declared, FalseAlarmsOfSeveralReleasesAreAsRareAsStated) {
  constexpr int kSets = 1000;
  const double chance = 0.02;
  const double most = 2 * chance + 0.025;  // four deviations of a share of 0.04
  Rng rng(20261118, 1, Purpose::test);
  for (const model::Study& study : {coin(100), poisson(100), table(3)}) {
    for (const std::int64_t n : {0, 100}) {
      int alarms = 0;
      for (int i = 0; i < kSets; ++i) {
        auto releases = releases_of(study, n, Rational(1, 10), 3, &rng);
        for (const release::Release& other : releases_of(study, n, i % 2 == 0 ? 1 : Rational(1, 10), 3, &rng))
          releases.push_back(other);
        if (!names(set_of(releases), chance).empty()) ++alarms;
      }
      EXPECT_LT(static_cast<double>(alarms) / kSets, most) << n;
    }
  }
}

TEST(Declared, NIsSeenThroughAllTotalsByTheirPrecision) {
  auto releases = releases_of(poisson(1000), 60, 1, 1, nullptr);
  releases.push_back(releases_of(poisson(1000), 600, Rational(1, 100), 1, nullptr).front());
  const SeenN two = seen_n(set_of(releases));
  EXPECT_NEAR(two.about, 60, 1);
  EXPECT_FALSE(two.hardly_known());
  EXPECT_NEAR(two.likely_most, two.about + 2 * two.noise_sd, 1e-9);
  releases.erase(releases.begin());
  EXPECT_LT(two.noise_sd, seen_n(set_of(releases)).noise_sd);
  EXPECT_EQ(seen_n(set_of(releases)).likely_most, 1000);  // the bound
  const auto below = releases_of(poisson(1000), -60, Rational(1, 2), 1, nullptr);
  EXPECT_EQ(seen_n(set_of(below)).about, 0);
  EXPECT_TRUE(seen_n(set_of(below)).hardly_known());
  EXPECT_GT(seen_n(set_of(below)).likely_most, 0);
  const auto known = releases_of(table(3), 0, 1, 1, nullptr);
  EXPECT_FALSE(seen_n(set_of(known)).hardly_known());
}

/// What n records at the edge of all that is declared would be released as: the worst case for false alarms.
using Truth = std::function<std::int64_t(const model::Block&, std::size_t)>;

double share_of_alarms(const model::Study& study, std::int64_t n, const Truth& truth, double chance) {
  constexpr int kReleases = 4000;
  std::vector<std::vector<std::int64_t>> zeros;
  for (const model::Block& block : model::small_plan(study, Rational(1, 2)).measurement.blocks)
    zeros.emplace_back(block.size, 0);
  release::Release release = release_of(study, zeros, n, Rational(1, 2));
  Rng rng(20261118, 0, Purpose::test);
  int alarms = 0;
  for (int i = 0; i < kReleases; ++i) {
    for (release::MeasuredBlock& block : release.blocks) {
      const release::NoiseLaw law = release::noise_law(block.block.noise);
      for (std::size_t cell = 0; cell < block.values.size(); ++cell)
        block.values[cell] = truth(block.block, cell) + release::simulate(law, rng);
    }
    if (!names({&release}, chance).empty()) ++alarms;
  }
  return static_cast<double>(alarms) / kReleases;
}

// Two names, each with a chance of 0.02; 4000 releases, so that four deviations of a share of 0.04 are
// 0.0125.
TEST(Declared, FalseAlarmsAreAsRareAsStated) {
  const double chance = 0.02;
  const double most = 2 * chance + 0.0125;
  const auto none = [](const model::Block&, std::size_t) { return 0; };
  const auto all_in_first = [](const model::Block&, std::size_t cell) { return cell == 0 ? 100 : 0; };
  EXPECT_LT(share_of_alarms(coin(100), 0, none, chance), most);
  EXPECT_LT(share_of_alarms(coin(100), 0, all_in_first, chance), most);
  EXPECT_LT(share_of_alarms(table(2), 100, all_in_first, chance), most);
  EXPECT_LT(share_of_alarms(table(20), 100, all_in_first, chance), most);
  const auto largest = [](const model::Block& block, std::size_t) {
    return block.statistic.as<model::RecordCount>() != nullptr ? 100 : 2000;
  };
  EXPECT_LT(share_of_alarms(poisson(100), 0, largest, chance), most);
  EXPECT_LT(share_of_alarms(poisson(100), 0, none, chance), most);
}

}  // namespace
}  // namespace postern::infer
