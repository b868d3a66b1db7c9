// The noise that a posterior implies, held against its law: told by every engine, hardly ever in false alarm,
// and implausible where a prior overrules what was released.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/infer.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/release/noise_law.hpp"

#include "engine_cases.hpp"

namespace postern::infer {
namespace {

bool warns(const Posterior& posterior, const std::string& name) {
  return std::any_of(posterior.warnings.begin(), posterior.warnings.end(),
                     [&](const Warning& warning) { return warning.name == name; });
}

/// What cannot tell: plug-in answers, points, and choices, to which no noise is added.
bool tells(const EngineCase& one, EngineChoice engine) {
  const std::set<std::string> silent = {"choice", "axis"};
  return engine != EngineChoice::naive && !silent.contains(one.name);
}

InferOptions quick(EngineChoice engine) {
  InferOptions options;
  options.engine = engine;
  options.chains = 2;
  options.draws = 200;
  options.threads = 1;
  return options;
}

void expect_told(bool slow) {
  for (const EngineCase& one : engine_cases()) {
    if (is_slow(one) != slow) continue;
    for (const EngineChoice engine : one.engines) {
      const Posterior posterior = infer(released(one, 'a'), quick(engine), {});
      const std::string what = one.name + " by " + posterior.engine;
      ASSERT_EQ(posterior.implied_noise.has_value(), tells(one, engine)) << what;
      if (!posterior.implied_noise) continue;
      const ImpliedNoise& implied = *posterior.implied_noise;
      EXPECT_FALSE(implied.blocks.empty()) << what;
      EXPECT_FALSE(warns(posterior, "noise-implausible")) << what;
      for (const ImpliedNoise::Block& block : implied.blocks) {
        EXPECT_FALSE(block.what.empty()) << what;
        EXPECT_TRUE(block.size > 0 && block.size <= 1) << what << ", " << block.what;
        EXPECT_TRUE(block.sum > 0 && block.sum <= 1) << what << ", " << block.what;
        EXPECT_LT(std::abs(block.deviations), 6) << what << ", " << block.what;
      }
    }
  }
}

TEST(ImpliedNoise, IsToldByEveryEngineThatHasIt) { expect_told(false); }
TEST(LongImpliedNoise, IsToldByEveryEngineThatHasIt) { expect_told(true); }

// Under the model a draw is exchangeable with the truth: averages of tails are about 1/2 over studies, and an
// alarm is raised in at most 1 of 500 of them (1 of 1000 by each way of looking).
void expect_calm(const EngineCase& one, EngineChoice engine, std::uint32_t studies) {
  double size = 0;
  double alarms = 0;
  for (std::uint32_t s = 0; s < studies; ++s) {
    InferOptions options = quick(engine);
    options.seed = s;
    const Posterior posterior = infer(released(one, 'a', s + 1), options, {});
    ASSERT_TRUE(posterior.implied_noise.has_value());
    size += posterior.implied_noise->blocks.front().size / studies;
    alarms += posterior.implied_noise->implausible() ? 1 : 0;
  }
  // The least share of alarms that these many studies leave possible at alpha = 1e-6.
  EXPECT_LT(binomial_lower_limit(alarms, studies, 1e-6), 2e-3)
      << one.name << ": " << alarms << " of " << studies;
  // An average of averages of uniform probabilities, each of a deviation of at most 0.29; discrete ones are
  // somewhat above.
  EXPECT_GT(size, 0.5 - 4.9 * 0.29 / std::sqrt(studies)) << one.name;
  std::cout << one.name << ": " << alarms << " false alarms in " << studies << ", at most "
            << binomial_upper_limit(alarms, studies, 0.01) << " (99 %)\n";
}

std::vector<EngineCase> tables_of_both_noises() {
  std::vector<EngineCase> out;
  for (const Currency currency : {Currency::pure, Currency::zcdp}) {
    for (const auto adjacency : {model::Adjacency::replace_one, model::Adjacency::add_remove})
      out.push_back({"table",
                     model::small_study({.levels = 6, .adjacency = adjacency, .currency = currency}),
                     300,
                     {}});
  }
  return out;
}

TEST(ImpliedNoise, HardlyEverAlarmsFalsely) {
  for (const EngineCase& one : tables_of_both_noises()) expect_calm(one, EngineChoice::exact, 150);
}

TEST(LongImpliedNoise, HardlyEverAlarmsFalselyInManyStudies) {
  for (const EngineCase& one : tables_of_both_noises()) expect_calm(one, EngineChoice::exact, 2500);
  for (const EngineCase& one : engine_cases()) {
    for (const EngineChoice engine : one.engines) {
      if (tells(one, engine)) expect_calm(one, engine, 1000);
    }
  }
}

/// A release of these counts of two columns, with Laplace noise and n private.
release::Release table_release(std::uint32_t rows, std::uint32_t columns, const std::vector<double>& counts,
                               const Rational& epsilon) {
  model::Study study = model::small_study({.adjacency = model::Adjacency::add_remove, .n_at_most = 200'000});
  study.schema = model::Schema({model::plain_column("x", rows), model::plain_column("y", columns)});
  study.model = model::Categorical{{"x", "y"}, std::vector<Rational>(counts.size(), Rational(1))};
  Rng rng(20261118, 7, Purpose::test);
  release::Release out = assess::simulate_study(study, model::small_plan(study, epsilon), 100, rng).release;
  const release::NoiseLaw law = release::noise_law(out.blocks.front().block.noise);
  for (std::size_t cell = 0; cell < counts.size(); ++cell)
    out.blocks.front().values[cell] = static_cast<Int128>(counts[cell]) + release::simulate(law, rng);
  return out;
}

// 672 cells, as education by country of people of whom nine in ten are of one country: Dirichlet(1) takes the
// cells to be of like size, and moves n and the margins by many noises.
TEST(ImpliedNoise, IsImplausibleUnderAPriorOfLikeCellsOfAnUnevenTable) {
  std::vector<double> counts;
  for (int row = 0; row < 16; ++row) {
    const double here = 10'000 * std::pow(0.75, row);
    for (int column = 0; column < 42; ++column)
      counts.push_back(std::floor(here * (column == 0 ? 0.9 : 0.02 * std::pow(0.8, column))));
  }
  const release::Release uneven = table_release(16, 42, counts, Rational(1, 10));
  const Posterior posterior = infer({&uneven, 1}, quick(EngineChoice::exact), {});
  ASSERT_TRUE(posterior.implied_noise.has_value());
  EXPECT_TRUE(posterior.implied_noise->implausible()) << posterior.implied_noise->chance;
  EXPECT_TRUE(warns(posterior, "noise-implausible"));
  // Cells as Dirichlet(1) has them are no reason to alarm.
  Rng rng(20261118, 10, Purpose::test);
  for (double& count : counts) count = std::floor(50 * draw_exponential(rng));
  const release::Release even = table_release(16, 42, counts, Rational(1, 10));
  EXPECT_FALSE(warns(infer({&even, 1}, quick(EngineChoice::exact), {}), "noise-implausible"));
}

/// A regression of records whose feature and target lie within a small share of their bounds.
release::Release narrow_regression(double sd, std::int64_t records) {
  const model::Study study =
      model::regression_study({{2001}, {}, 2001, 2000}, model::Adjacency::replace_one, Currency::pure);
  Rng rng(20261118, 8, Purpose::test);
  release::Release out = assess::simulate_study(study, model::small_plan(study, 1), records, rng).release;
  std::vector<std::unique_ptr<model::Tally>> tallies;
  for (const auto& block : out.blocks)
    tallies.push_back(block.block.statistic.kind().tally(block.block.statistic, study.schema));
  for (std::int64_t i = 0; i < records; ++i) {
    const double x = sd * draw_normal(rng);
    const double y = x + sd * draw_normal(rng);
    const auto level = [](double at) {
      return static_cast<std::uint32_t>(std::clamp(std::round(1000 + 1000 * at), 0.0, 2000.0));
    };
    const std::vector<std::uint32_t> levels{level(x), level(y)};
    for (auto& tally : tallies) tally->add(levels, 1);
  }
  for (std::size_t b = 0; b < out.blocks.size(); ++b) {
    const release::NoiseLaw law = release::noise_law(out.blocks[b].block.noise);
    const std::vector<Int128> sums = tallies[b]->values();
    for (std::size_t i = 0; i < sums.size(); ++i)
      out.blocks[b].values[i] = sums[i] + release::simulate(law, rng);
  }
  return out;
}

TEST(ImpliedNoise, IsImplausibleForARegressionWhoseBoundsAreTooWide) {
  const release::Release narrow = narrow_regression(0.033, 20'000);
  const Posterior posterior = infer({&narrow, 1}, quick(EngineChoice::moments), {});
  EXPECT_TRUE(warns(posterior, "noise-implausible"))
      << (posterior.implied_noise ? posterior.implied_noise->chance : -1);
  const release::Release wide = narrow_regression(0.35, 20'000);
  EXPECT_FALSE(warns(infer({&wide, 1}, quick(EngineChoice::moments), {}), "noise-implausible"));
}

// A total that is not n is told once, by the name that says what is wrong.
TEST(ImpliedNoise, IsNotTheWordForReleasesThatContradictTheirStudy) {
  const EngineCase one{"table", model::small_study({.levels = 3}), 200, {}};
  std::vector<release::Release> releases = released(one, 'a');
  for (Int128& value : releases.front().blocks.front().values) value += 400;
  const Posterior posterior = infer(releases, quick(EngineChoice::exact), {});
  EXPECT_TRUE(warns(posterior, "total-not-n"));
  ASSERT_TRUE(posterior.implied_noise.has_value());
  EXPECT_TRUE(posterior.implied_noise->implausible());
  EXPECT_FALSE(warns(posterior, "noise-implausible"));
}

TEST(ImpliedNoise, DoesNotChangeDraws) {
  const EngineCase one{"normal", number("normal", 8), 60, {}};
  for (const EngineChoice engine : {EngineChoice::gibbs, EngineChoice::augment}) {
    InferOptions options = quick(engine);
    const Posterior with = infer(released(one, 'a'), options, {});
    options.check_noise = false;
    const Posterior without = infer(released(one, 'a'), options, {});
    EXPECT_EQ(with.draws, without.draws);
    EXPECT_FALSE(without.implied_noise.has_value());
  }
}

/// Releases of two datasets of coins, of these shares.
std::vector<release::Release> coins(double first, double second, model::Adjacency adjacency) {
  const EngineCase one{
      "proportions", model::small_study({.adjacency = adjacency, .n_at_most = 10'000}), 2000, {}, 2};
  std::vector<release::Release> out = released(one, 'a');
  Rng rng(20261118, 9, Purpose::test);
  for (std::size_t d = 0; d < 2; ++d) {
    const double ones = 2000 * (d == 0 ? first : second);
    release::MeasuredBlock& block = out[d].blocks.front();
    const release::NoiseLaw law = release::noise_law(block.block.noise);
    const std::vector<double> counts =
        block.values.size() == 1 ? std::vector<double>{ones} : std::vector<double>{2000 - ones, ones};
    for (std::size_t i = 0; i < counts.size(); ++i)
      block.values[i] = std::llround(counts[i]) + release::simulate(law, rng);
  }
  return out;
}

TEST(Datasets, DisagreeWhereTheirSharesDo) {
  for (const auto adjacency : {model::Adjacency::replace_one, model::Adjacency::add_remove}) {
    for (const EngineChoice engine : {EngineChoice::automatic, EngineChoice::gibbs}) {
      const Posterior apart = infer(coins(0.291, 0.006, adjacency), quick(engine), {});
      EXPECT_TRUE(warns(apart, "datasets-disagree")) << apart.engine;
      EXPECT_FALSE(warns(apart, "noise-implausible")) << apart.engine;  // said once
      const Posterior alike = infer(coins(0.291, 0.285, adjacency), quick(engine), {});
      EXPECT_FALSE(warns(alike, "datasets-disagree")) << alike.engine;
      EXPECT_TRUE(std::any_of(alike.notes.begin(), alike.notes.end(), [](const std::string& note) {
        return note.find("one theta for all datasets") != std::string::npos;
      }));
    }
  }
}

/// Datasets of one theta disagree in at most 1 of 1000 pooled answers.
void expect_agreement(const EngineCase& one, EngineChoice engine, std::uint32_t studies) {
  double alarms = 0;
  for (std::uint32_t s = 0; s < studies; ++s)
    alarms += warns(infer(released(one, 'a', s + 1), quick(engine), {}), "datasets-disagree") ? 1 : 0;
  EXPECT_LT(binomial_lower_limit(alarms, studies, 1e-6), 1e-3) << one.name;
  std::cout << one.name << ": " << alarms << " datasets disagree of " << studies << ", at most "
            << binomial_upper_limit(alarms, studies, 0.01) << " (99 %)\n";
}

std::vector<EngineCase> pooled_cases() {
  const model::Adjacency hidden = model::Adjacency::add_remove;
  return {
      {"proportions", model::small_study({}), 200, {EngineChoice::exact}, 2},
      {"proportions, n private", model::small_study({.adjacency = hidden}), 200, {EngineChoice::gibbs}, 2},
      {"tables of three", model::small_study({.levels = 3}), 200, {EngineChoice::gibbs}, 3},
      {"poisson", number("poisson", 20), 60, {EngineChoice::exact}, 2}};
}

TEST(Datasets, OfOneThetaHardlyEverDisagree) {
  for (const EngineCase& one : pooled_cases()) expect_agreement(one, one.engines.front(), 40);
}
TEST(LongDatasets, OfOneThetaHardlyEverDisagree) {
  for (const EngineCase& one : pooled_cases()) expect_agreement(one, one.engines.front(), 1000);
}

}  // namespace
}  // namespace postern::infer
