// What `infer` tells beside its answer: warnings by name, through the front door.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/assess/simulate.hpp"
#include "postern/core/error.hpp"
#include "postern/infer/infer.hpp"
#include "postern/infer/warnings/declared.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/statistic/sums.hpp"
#include "postern/model/statistic/table.hpp"
#include "postern/release/noise_law.hpp"

#include "number_studies.hpp"
#include "small_studies.hpp"
#include "vector_studies.hpp"

namespace postern::infer {
namespace {

using model::Adjacency;

InferOptions quick(EngineChoice engine = EngineChoice::automatic) {
  InferOptions options;
  options.engine = engine;
  options.chains = 2;
  options.draws = 50;
  options.threads = 1;
  return options;
}

/// A release of n records whose study is then made to declare another bound.
release::Release bounded(model::Study study, std::int64_t n, std::int64_t at_most) {
  study.privacy.n_at_most = 100'000;
  Rng rng(7, 0, Purpose::test);
  release::Release out = assess::simulate_study(study, model::small_plan(study, 1), n, rng).release;
  out.study.privacy.n_at_most = at_most;
  out.n = release::PrivateCount{at_most};
  return out;
}

bool warns(const Posterior& posterior, const std::string& name) {
  return std::any_of(posterior.warnings.begin(), posterior.warnings.end(),
                     [&](const Warning& warning) { return warning.name == name; });
}

model::Study counts() {
  return model::number_study(*model::find_number_family("poisson"),
                             {{0, 20}, Adjacency::add_remove, Currency::pure});
}

TEST(Warnings, TellOfABoundBelowTheTruthForEveryEngine) {
  const model::Study coin = model::small_study({.adjacency = Adjacency::add_remove});
  for (const EngineChoice engine : {EngineChoice::exact, EngineChoice::gibbs, EngineChoice::naive}) {
    for (const std::int64_t at_most : {40, 2000, 90'000}) {
      const std::vector<release::Release> releases{bounded(coin, 1000, at_most)};
      EXPECT_EQ(warns(infer(releases, quick(engine), {}), "n-above-bound"), at_most == 40) << at_most;
    }
  }
  const std::vector<release::Release> short_bound{bounded(counts(), 1000, 40)};
  EXPECT_TRUE(warns(infer(short_bound, quick(), {}), "n-above-bound"));
  const std::vector<release::Release> long_bound{bounded(counts(), 1000, 90'000)};
  EXPECT_FALSE(warns(infer(long_bound, quick(), {}), "n-above-bound"));
}

/// Releases of the same 300 records, all with the value 2, whose study declares `at_most`.
std::vector<release::Release> faint_releases(const model::Study& study, const Rational& epsilon,
                                             std::int64_t at_most) {
  constexpr std::size_t kReleases = 20;
  Rng rng(13, 0, Purpose::test);
  std::vector<release::Release> out(kReleases, bounded(study, 0, at_most));
  const auto blocks = model::small_plan(study, epsilon).measurement.blocks;
  for (std::size_t i = 0; i < kReleases; ++i) {
    out[i].release_id = std::string(30, '0') + std::to_string(10 + i);
    out[i].blocks.clear();
    for (const model::Block& block : blocks) {
      std::vector<Int128> values(block.size, 150);  // the cells of a coin
      if (block.statistic.as<model::RecordCount>() != nullptr) values = {300};
      if (block.statistic.as<model::LevelSum>() != nullptr) values = {600};
      for (Int128& value : values) value += release::simulate(release::noise_law(block.noise), rng);
      out[i].blocks.push_back({block, values});
    }
  }
  return out;
}

TEST(Warnings, TellOfABoundThatManyFaintReleasesContradictTogether) {
  const model::Study coin = model::small_study({.adjacency = Adjacency::add_remove});
  for (const std::int64_t at_most : {40, 1000}) {
    const auto tosses = infer(faint_releases(coin, Rational(1, 100), at_most), quick(), {});
    EXPECT_EQ(warns(tosses, "n-above-bound"), at_most == 40) << at_most;
    const auto numbers = infer(faint_releases(counts(), Rational(1, 5), at_most), quick(), {});
    EXPECT_EQ(warns(numbers, "n-above-bound"), at_most == 40) << at_most;
  }
}

// The total of 60 records is often below 0 here, which is no reason to call them none.
TEST(Warnings, OfProportionDoNotTakeTheNoisyTotalForTheRecords) {
  const model::Study coin = model::small_study({.adjacency = Adjacency::add_remove});
  const model::NoisePlan plan = model::small_plan(coin, Rational(1, 20));
  Rng rng(17, 0, Purpose::test);
  int hardly_known = 0;
  for (int i = 0; i < 40; ++i) {
    const std::vector<release::Release> releases{assess::simulate_study(coin, plan, 60, rng).release};
    const Posterior posterior = infer(releases, quick(), {});
    EXPECT_FALSE(warns(posterior, "prior-outweighs-data")) << i;
    for (const Warning& warning : posterior.warnings) {
      if (warning.name != "noise-outweighs-counts") continue;
      ++hardly_known;
      EXPECT_NE(warning.text.find("n is hardly known"), std::string::npos) << warning.text;
    }
  }
  EXPECT_GT(hardly_known, 0);
}

TEST(Warnings, ExplainAnEngineThatGivesUp) {
  const model::Study normal = model::number_study(*model::find_number_family("normal"),
                                                  {{0, 20}, Adjacency::add_remove, Currency::pure});
  const std::vector<release::Release> releases{bounded(normal, 1000, 40)};
  try {
    (void)infer(releases, quick(EngineChoice::gibbs), {});
    ADD_FAILURE() << "gibbs took it";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::engine_limit);
    EXPECT_NE(std::string(error.what()).find("n-above-bound"), std::string::npos) << error.what();
  }
}

TEST(Warnings, NameTheDatasetWhereThereAreSeveral) {
  const model::Study coin = model::small_study({.adjacency = Adjacency::add_remove});
  std::vector<release::Release> releases{bounded(coin, 1000, 40), bounded(coin, 20, 40)};
  releases[0].release_id = std::string(32, '1');
  releases[1].release_id = std::string(32, '2');
  releases[1].ledger.record_set = std::string(32, 'b');
  releases[1].study.dataset = "other";
  const Posterior posterior = infer(releases, quick(), {});
  ASSERT_TRUE(warns(posterior, "n-above-bound"));
  EXPECT_EQ(posterior.warnings.front().text.rfind("dataset small: ", 0), 0U);
}

TEST(Warnings, OfContradictionAreAbsentFromSimulatedStudies) {
  std::vector<model::Study> studies{model::small_study({.levels = 5}),
                                    model::small_study({.levels = 5, .adjacency = Adjacency::add_remove}),
                                    model::small_study({.currency = Currency::zcdp})};
  for (const model::NumberFamily& family : model::number_families()) {
    for (const Adjacency adjacency : {Adjacency::replace_one, Adjacency::add_remove})
      studies.push_back(
          model::number_study(family, {model::coarse_ranges(family).front(), adjacency, Currency::zcdp}));
  }
  studies.push_back(model::vector_study({{0, 4}, {-2, 2}}, Adjacency::add_remove, Currency::zcdp));
  Rng rng(11, 0, Purpose::test);
  for (const model::Study& study : studies) {
    const model::NoisePlan plan = model::small_plan(study, Rational(1, 4));
    for (const std::int64_t n : {0, 1, 1000}) {
      for (int i = 0; i < 20; ++i) {
        const release::Release release = assess::simulate_study(study, plan, n, rng).release;
        EXPECT_TRUE(contradictions({&release}).empty()) << study.model.kind().family(study.model) << ' ' << n;
      }
    }
  }
}

}  // namespace
}  // namespace postern::infer
