#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "postern/assess/calibrate.hpp"
#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/infer.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/model/number_family.hpp"
#include "postern/model/statistic/score_table.hpp"

#include "choice_studies.hpp"

// The posterior of a choice among candidates: engines against enumeration, the oracle and each other.

namespace postern {
namespace {

using model::Adjacency;

release::Release released(const model::Study& study, const std::string& epsilon, std::int64_t n,
                          const std::vector<Int128>& values) {
  const model::NoisePlan plan = model::choice_plan(study, epsilon);
  release::Release out;
  out.release_id = std::string(32, '0');
  out.study = study;
  out.request = plan.request;
  out.cost = plan.cost;
  if (study.privacy.n_at_most) {
    out.n = release::PrivateCount{*study.privacy.n_at_most};
  } else {
    out.n = release::PublicCount{n};
  }
  for (std::size_t b = 0; b < values.size(); ++b)
    out.blocks.push_back({plan.measurement.blocks.at(b), {values[b]}});
  return out;
}

infer::Posterior inferred(const release::Release& release, infer::EngineChoice engine,
                          std::size_t draws = 1000) {
  infer::InferOptions options;
  options.engine = engine;
  options.draws = draws;
  return infer::infer({&release, 1}, options, {});
}

/// Means within so many standard errors of each other, deviations within a part of themselves.
void expect_alike(const infer::SummaryRow& exact, const infer::SummaryRow& drawn) {
  const double ess = drawn.ess.value_or(4000);
  EXPECT_NEAR(drawn.mean, exact.mean, 5 * exact.sd / std::sqrt(ess)) << drawn.label;
  EXPECT_NEAR(drawn.sd, exact.sd, 6 * exact.sd / std::sqrt(ess)) << drawn.label;
}

/// n = 100, candidate 0.7 chosen, uniform prior (coin_factored_exponential, centred_clamp). The oracle's
/// epsilon is the exponent; under replace-one the range is 4.
TEST(ChoiceInfer, CoinIsAsInTheOracle) {
  struct Row {
    const char* epsilon;
    double evidence, mean, sd;
  };
  for (const Row& row : {Row{"0.04", .11803668975298334, .566947900442663, .27821106070973933},
                         Row{"0.4", .1217924852077238, .7151647687621923, .153627303694168},
                         Row{"2", .10413617869782872, .7004909031834955, .0812179899032627},
                         Row{"4", .10028896848850774, .6964015057355021, .06387268303110463}}) {
    const auto out =
        inferred(released(model::coin_study(), row.epsilon, 100, {6}), infer::EngineChoice::automatic);
    EXPECT_EQ(out.engine, "exact");
    // The oracle sums over a grid of theta; its cells are 0.001 wide.
    EXPECT_NEAR(std::exp(*out.log_evidence), row.evidence, 2e-4);
    EXPECT_NEAR(out.summary[0].mean, row.mean, 2e-4);
    EXPECT_NEAR(out.summary[0].sd, row.sd, 2e-4);
  }
}

TEST(ChoiceInfer, ChainsAgreeWithTheExactPosterior) {
  const auto both = [](const release::Release& release) {
    const auto exact = inferred(release, infer::EngineChoice::exact);
    const auto chains = inferred(release, infer::EngineChoice::augment);
    ASSERT_EQ(exact.summary.size(), chains.summary.size());
    for (std::size_t q = 0; q < exact.summary.size(); ++q) expect_alike(exact.summary[q], chains.summary[q]);
  };
  both(released(model::coin_study(), "1", 200, {2}));
  both(released(model::coin_study({.draws = 2}), "8", 60, {2, 4}));
  both(released(model::scored_study(), "3", 25, {3}));
  both(released(model::scored_study({.adjacency = Adjacency::add_remove}), "4", 0, {1, 17}));
}

/// Of numbers: all records' levels against a grid of means, each table of counts of three records listed.
TEST(ChoiceInfer, NumbersAgreeWithEnumeration) {
  const model::Study study = model::mean_study();
  const release::Release release = released(study, "2", 3, {4});
  const auto& block = release.blocks.front().block;
  const auto& table = block.statistic.get<model::ScoreTable>();
  const model::NumberFamily& family = *model::find_number_family("normal-mean");
  const std::vector<Rational> known{4};
  const auto law = family.law(known);
  const auto number = model::encoded_number(study.schema.at("x"), family.transform(known), family.wholes());
  const auto log_choice = [&](std::span<const std::size_t> levels) {
    std::vector<double> sums(6, 0.0);
    for (std::size_t z = 0; z < sums.size(); ++z) {
      for (const std::size_t x : levels)
        sums[z] += block.noise.parameter.get_d() * static_cast<double>(table.scores[z * 11 + x]);
    }
    return sums[4] - log_sum_exp(sums);
  };
  double mass = 0;
  double first = 0;
  double second = 0;
  for (double mu = -8; mu <= 18; mu += 0.05) {
    std::vector<double> p;
    model::level_masses(*law, {mu, 0}, number, p);
    double likelihood = 0;
    for (std::size_t a = 0; a < 11; ++a) {
      for (std::size_t b = 0; b < 11; ++b) {
        for (std::size_t c = 0; c < 11; ++c)
          likelihood += p[a] * p[b] * p[c] * std::exp(log_choice(std::array{a, b, c}));
      }
    }
    const double weight = std::exp(law->log_prior({5, 9}, {mu, 0})) * likelihood;
    mass += weight;
    first += weight * mu;
    second += weight * mu * mu;
  }
  infer::SummaryRow exact;
  exact.mean = first / mass;
  exact.sd = std::sqrt(second / mass - exact.mean * exact.mean);
  expect_alike(exact, inferred(release, infer::EngineChoice::augment, 2000).summary[0]);
  const auto automatic = inferred(release, infer::EngineChoice::automatic);
  EXPECT_EQ(automatic.engine, "bounds");
  EXPECT_NEAR(automatic.summary[0].mean, exact.mean, 0.05 * exact.sd);
  EXPECT_NEAR(automatic.summary[0].sd, exact.sd, 0.05 * exact.sd);
}

TEST(ChoiceInfer, LeavesBoundsThatAreFarApart) {
  const auto out =
      inferred(released(model::mean_study(), "60", 100, {2}), infer::EngineChoice::automatic, 200);
  EXPECT_EQ(out.engine, "augment");
  EXPECT_NE(out.notes.back().find("nats apart"), std::string::npos);
}

TEST(ChoiceInfer, GivesBoundsWhereTheyAreAskedFor) {
  const auto near = inferred(released(model::coin_study(), "0.2", 100, {6}), infer::EngineChoice::bounds);
  EXPECT_EQ(near.engine, "bounds");
  EXPECT_TRUE(near.warnings.empty());
  const auto far = inferred(released(model::coin_study(), "4", 100, {6}), infer::EngineChoice::bounds);
  ASSERT_FALSE(far.warnings.empty());
  EXPECT_EQ(far.warnings.front().name, "bounds-far-apart");
  // coin_factored_exponential, centred_clamp, epsilon 1: the lower bound's posterior
  EXPECT_NEAR(far.summary[0].mean, 0.72751, 1e-4);
  EXPECT_NEAR(far.summary[0].sd, 0.02534, 1e-4);
}

TEST(ChoiceInfer, IsThePriorWithoutRecordsOrBudget) {
  const auto none = inferred(released(model::coin_study(), "1", 0, {6}), infer::EngineChoice::automatic);
  EXPECT_NEAR(none.summary[0].mean, 0.5, 1e-12);
  const auto little =
      inferred(released(model::mean_study(), "0.000001", 50, {0}), infer::EngineChoice::automatic);
  EXPECT_NEAR(little.summary[0].mean, 5, 1e-3);
  EXPECT_NEAR(little.summary[0].sd, 3, 1e-2);
}

TEST(ChoiceInfer, RefusesEnginesOfNoisyCounts) {
  for (const auto engine : {infer::EngineChoice::naive, infer::EngineChoice::gibbs}) {
    EXPECT_THROW(static_cast<void>(inferred(released(model::coin_study(), "1", 9, {1}), engine)), Error);
  }
}

void expect_calibrated(const model::Study& study, const std::string& amount, std::int64_t n,
                       std::size_t studies) {
  assess::CalibrateOptions options;
  options.studies = studies;
  options.seed = 20261118;
  if (!study.privacy.n_at_most) options.n = n;
  const auto result = assess::calibrate(study, model::choice_plan(study, amount), options, {});
  for (const auto& quantity : result.quantities)
    EXPECT_LT(quantity.ks, result.ks_limit()) << quantity.name << " at " << amount;
}

/// The distance of the ranks from uniform exceeds the limit with probability 1e-6 a quantity.
TEST(ChoiceInfer, IsCalibrated) {
  expect_calibrated(model::coin_study(), "1", 50, 400);
  expect_calibrated(model::coin_study({.adjacency = Adjacency::add_remove}), "2", 0, 300);
  expect_calibrated(model::scored_study({.currency = Currency::zcdp, .draws = 2}), "1", 20, 300);
  expect_calibrated(model::mean_study({.adjacency = Adjacency::add_remove}), "4", 0, 200);
}

}  // namespace
}  // namespace postern
