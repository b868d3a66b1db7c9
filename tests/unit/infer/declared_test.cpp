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
