// Tables of the same records that do not agree, and how seldom others are taken for such.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/rng.hpp"
#include "postern/infer/warnings/declared.hpp"
#include "postern/model/plan.hpp"
#include "postern/release/noise_law.hpp"

#include "markov_studies.hpp"
#include "warnings/tables.hpp"

namespace postern::infer {
namespace {

using model::Adjacency;

const std::vector<graph::Variables> kLoop{{0, 1}, {1, 2}, {2, 3}, {0, 3}};

model::Study loop(Currency currency) {
  return model::markov_study({2, 3, 2, 4}, kLoop, Adjacency::add_remove, currency);
}

/// 100 records a cell of the joint table, noise and all.
release::Release release_of(const model::Study& study, Rng& rng, double noise = 1) {
  release::Release out;
  out.study = study;
  out.n = release::PrivateCount{1'000'000};
  for (const model::Block& block : model::small_plan(study, Rational(1, 2)).measurement.blocks) {
    release::MeasuredBlock& measured = out.blocks.emplace_back(release::MeasuredBlock{block, {}});
    const release::NoiseLaw law = release::noise_law(block.noise);
    for (std::size_t i = 0; i < block.size; ++i) {
      const double drawn = noise * static_cast<double>(release::simulate(law, rng));
      measured.values.push_back(4800 / static_cast<std::int64_t>(block.size) +
                                static_cast<std::int64_t>(std::llround(drawn)));
    }
  }
  return out;
}

TEST(DisagreeingTables, AreSeenInOneCell) {
  for (const Currency currency : {Currency::pure, Currency::zcdp}) {
    Rng rng(1, 0, Purpose::test);
    release::Release release = release_of(loop(currency), rng);
    EXPECT_FALSE(disagreeing_tables({&release}, kChance));
    release.blocks[1].values[0] += 400;
    release.blocks[1].values[2] -= 400;  // another level of the first column: the total stays
    const auto warning = disagreeing_tables({&release}, kChance);
    ASSERT_TRUE(warning);
    EXPECT_EQ(warning->name, "tables-disagree");
    EXPECT_NE(warning->text.find("the table of x0 x x1 and the table of x1 x x2"), std::string::npos)
        << warning->text;
    EXPECT_NE(warning->text.find("at each level of x1"), std::string::npos) << warning->text;
  }
}

TEST(DisagreeingTables, AreSeenInAllCellsTogether) {
  // Two looks at one table of many cells whose noise is a half larger than stated: none strange alone.
  Rng rng(2, 0, Purpose::test);
  const model::Study study = model::markov_study({40, 40}, {{0, 1}}, Adjacency::add_remove, Currency::zcdp);
  const release::Release one = release_of(study, rng);
  const release::Release two = release_of(study, rng);
  EXPECT_FALSE(disagreeing_tables({&one, &two}, kChance));
  const release::Release wide = release_of(study, rng, 2.2);
  EXPECT_TRUE(disagreeing_tables({&one, &wide}, kChance));
}

TEST(DisagreeingTables, FalseAlarmsAreAsRareAsStated) {
  constexpr int kSets = 2000;
  const double chance = 0.05;
  for (const Currency currency : {Currency::pure, Currency::zcdp}) {
    Rng rng(3, 0, Purpose::test);
    int alarms = 0;
    const model::Study study = loop(currency);
    for (int i = 0; i < kSets; ++i) {
      const release::Release release = release_of(study, rng);
      alarms += disagreeing_tables({&release}, chance) ? 1 : 0;
    }
    // 100 expected at most; 149 or more with probability 1e-6 if so.
    EXPECT_LT(alarms, 149);
  }
}

TEST(DisagreeingTables, OneTableAloneAgreesWithItself) {
  Rng rng(4, 0, Purpose::test);
  const release::Release release =
      release_of(model::markov_study({2, 3}, {{0, 1}}, Adjacency::add_remove, Currency::pure), rng);
  EXPECT_FALSE(disagreeing_tables({&release}, kChance));
}

}  // namespace
}  // namespace postern::infer
