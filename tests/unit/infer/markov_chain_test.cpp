// Markov chains from noisy tables of people's weighted transitions.

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/infer/infer.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/sequences.hpp"
#include "postern/release/noise_law.hpp"

#include "chain_studies.hpp"

namespace postern::infer {
namespace {

constexpr std::array<std::array<double, 3>, 3> kMatrix{{{0.7, 0.2, 0.1}, {0.3, 0.3, 0.4}, {0.05, 0.15, 0.8}}};

std::uint32_t draw_from(const std::array<double, 3>& row, Rng& rng) {
  const double u = rng.uniform();
  return u < row[0] ? 0 : u < row[0] + row[1] ? 1 : 2;
}

/// People who all begin at the first state and follow the matrix for as many steps as are drawn.
release::Release simulated(const model::Study& study, int people, std::uint64_t steps,
                           const Rational& epsilon, Rng& rng) {
  const model::NoisePlan plan = model::small_plan(study, epsilon);
  release::Release out;
  out.study = study;
  out.request = plan.request;
  out.cost = plan.cost;
  out.n = release::PrivateCount{*study.privacy.n_at_most};
  std::vector<std::vector<std::uint32_t>> rows;
  for (int p = 0; p < people; ++p) {
    std::vector<std::uint32_t>& person = rows.emplace_back();
    std::uint32_t state = 0;
    const auto length = static_cast<std::uint32_t>(1 + rng() % steps);
    for (std::uint32_t t = 0; t <= length; ++t) {
      person.insert(person.end(), {t, state});
      state = draw_from(kMatrix.at(state), rng);
    }
  }
  for (const model::Block& block : plan.measurement.blocks) {
    const auto tally = block.statistic.kind().tally(block.statistic, study.schema);
    for (const auto& person : rows) dynamic_cast<model::PeopleTally&>(*tally).add_person(person);
    std::vector<Int128> values = tally->values();
    const release::NoiseLaw law = release::noise_law(block.noise);
    for (Int128& value : values) value += release::simulate(law, rng);
    out.blocks.push_back({block, std::move(values)});
  }
  return out;
}

InferOptions options_for(EngineChoice engine, std::size_t draws = 100) {
  InferOptions options;
  options.engine = engine;
  options.draws = draws;
  options.threads = 1;
  return options;
}

/// The share of 90 % intervals of the matrix that hold the truth.
double coverage(std::int64_t at_most, std::uint64_t steps, Currency currency, std::uint32_t stream) {
  const model::Study study = model::chain_study({.states = 3,
                                                 .last_time = 100,
                                                 .at_most = at_most,
                                                 .parts = 100,
                                                 .currency = currency,
                                                 .n_at_most = 5000});
  Rng rng(1, stream, Purpose::test);
  int held = 0;
  int all = 0;
  for (int repeat = 0; repeat < 30; ++repeat) {
    const std::vector<release::Release> releases{simulated(study, 200, steps, Rational(2), rng)};
    const Posterior posterior = infer(releases, options_for(EngineChoice::automatic), {});
    for (std::size_t cell = 0; cell < 9; ++cell) {
      const SummaryRow& row = posterior.summary.at(3 + cell);
      const double truth = kMatrix.at(cell / 3).at(cell % 3);
      held += row.q05 <= truth && truth <= row.q95 ? 1 : 0;
      ++all;
    }
  }
  return static_cast<double>(held) / all;
}

TEST(MarkovChain, IntervalsHoldWhereEverybodyCountsInFull) {
  // 270 intervals, three of a row tied together: standard error about .025.
  for (const Currency currency : {Currency::pure, Currency::zcdp}) {
    const double share = coverage(6, 6, currency, currency == Currency::pure ? 1 : 2);
    EXPECT_GE(share, 0.82);
    EXPECT_LE(share, 0.97);
  }
}

TEST(MarkovChain, IntervalsHoldWherePeopleAreWeighedDown) {
  EXPECT_GE(coverage(3, 40, Currency::pure, 3), 0.85);
}

TEST(MarkovChain, ChainsAgreeWithTheExactEngine) {
  const model::Study study =
      model::chain_study({.states = 3, .last_time = 20, .at_most = 5, .parts = 100, .n_at_most = 5000});
  Rng rng(1, 4, Purpose::test);
  const std::vector<release::Release> releases{simulated(study, 100, 8, Rational(2), rng)};
  const Posterior exact = infer(releases, options_for(EngineChoice::exact), {});
  const Posterior tables = infer(releases, options_for(EngineChoice::tables, 500), {});
  EXPECT_EQ(exact.engine, "exact");
  EXPECT_EQ(tables.engine, "tables");
  ASSERT_EQ(exact.names.size(), 12u);
  EXPECT_EQ(exact.names[3], "transition.1.1");
  EXPECT_EQ(exact.labels[4], "P(next x = c1 | x = c0)");
  for (std::size_t q = 0; q < exact.names.size(); ++q)
    EXPECT_NEAR(tables.summary[q].mean, exact.summary[q].mean, 0.25 * exact.summary[q].sd + 1e-4) << q;
}

TEST(MarkovChain, TheIdleStatesRowIsAboutLeavingIt) {
  const model::Study study = model::chain_study(
      {.states = 3, .last_time = 20, .at_most = 10, .parts = 10, .idle = 2, .n_at_most = 5000});
  Rng rng(1, 5, Purpose::test);
  const std::vector<release::Release> releases{simulated(study, 1000, 10, Rational(10), rng)};
  for (const EngineChoice engine : {EngineChoice::exact, EngineChoice::naive}) {
    const Posterior posterior = infer(releases, options_for(engine), {});
    EXPECT_EQ(posterior.summary[11].mean, 0);
    EXPECT_NEAR(posterior.summary[9].mean, 0.05 / 0.2, 0.06);
    EXPECT_NEAR(posterior.summary[10].mean, 0.15 / 0.2, 0.06);
    EXPECT_NEAR(posterior.summary[3].mean, 0.7, 0.05);
  }
}

TEST(MarkovChain, RefusesEnginesOfOtherModels) {
  Rng rng(1, 6, Purpose::test);
  const std::vector<release::Release> releases{
      simulated(model::chain_study({.states = 3, .last_time = 9}), 10, 3, Rational(1), rng)};
  EXPECT_THROW((void)infer(releases, options_for(EngineChoice::gibbs), {}), Error);
}

}  // namespace
}  // namespace postern::infer
