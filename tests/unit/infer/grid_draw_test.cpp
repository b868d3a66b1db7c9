#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/infer/infer.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/statistic/grid_split.hpp"

#include "network_studies.hpp"

namespace postern::infer {
namespace {

/// A release of the mechanism in which every split chose the point of that index.
release::Release released(const model::Study& study, model::Mechanism mechanism, Int128 chosen) {
  const model::NoisePlan plan = make_noise_plan(study, mechanism, Spend::parse(Currency::pure, "30"));
  release::Release out;
  out.study = study;
  out.request = plan.request;
  out.cost = plan.cost;
  out.n = release::PublicCount{100};
  for (const model::Block& block : plan.measurement.blocks) out.blocks.push_back({block, {chosen}});
  return out;
}

ErrorCode refusal(const std::vector<release::Release>& releases, const InferOptions& options) {
  try {
    static_cast<void>(infer(releases, options, {}));
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::internal;
}

TEST(GridDraw, IsShownAsItIsWithoutAnInterval) {
  const model::Study study = model::network_study({2, 3}, {{}, {0}});
  for (const auto mechanism : {model::Mechanism::posterior_draw, model::Mechanism::map}) {
    const release::Release release = released(study, mechanism, 250);
    InferOptions options;
    options.engine = EngineChoice::naive;
    const Posterior found = infer(std::span(&release, 1), options, {});
    const double omega = release.blocks.front().block.statistic.get<model::GridSplit>().omega.get_d();
    const double p = omega + (1 - 2 * omega) / 4;
    const std::vector<double> row{p * p, p * (1 - p), 1 - p};  // levels 0 and 1 against 2, then 0 against 1
    const std::vector<double> wanted{p, 1 - p, row[0], row[1], row[2], row[0], row[1], row[2]};
    ASSERT_EQ(found.summary.size(), wanted.size());
    for (std::size_t q = 0; q < wanted.size(); ++q) {
      EXPECT_NEAR(found.summary[q].mean, wanted[q], 1e-12) << q;
      EXPECT_TRUE(std::isnan(found.summary[q].sd) && std::isnan(found.summary[q].q05) &&
                  std::isnan(found.summary[q].q95));
    }
    EXPECT_EQ(found.engine, to_text(mechanism));
    ASSERT_FALSE(found.warnings.empty());
    EXPECT_EQ(found.warnings.front().name, "no-interval");
  }
}

TEST(GridDraw, OfSeveralDrawsIsTheirMean) {
  const model::Study study = model::network_study({2, 2}, {{}, {0}});
  const model::Request request{model::Mechanism::map, {{"draws", 2}}};
  const model::NoisePlan plan = make_noise_plan(study, request, Spend::parse(Currency::pure, "30"));
  release::Release release = released(study, model::Mechanism::map, 0);
  release.request = request;
  release.blocks.clear();
  for (const model::Block& block : plan.measurement.blocks)
    release.blocks.push_back({block, {release.blocks.size() < 3 ? 250 : 750}});
  InferOptions options;
  options.engine = EngineChoice::naive;
  const Posterior found = infer(std::span(&release, 1), options, {});
  ASSERT_EQ(found.iterations, 2U);
  EXPECT_NEAR(found.draws[0][0], 0.275, 1e-12);
  EXPECT_NEAR(found.draws[0][1], 0.725, 1e-12);
  for (const SummaryRow& row : found.summary) {
    EXPECT_NEAR(row.mean, 0.5, 1e-12);
    EXPECT_TRUE(std::isnan(row.sd) && std::isnan(row.q05) && std::isnan(row.q95));
  }
  options.engine = EngineChoice::automatic;
  options.draws = 100;
  EXPECT_EQ(infer(std::span(&release, 1), options, {}).engine, "tables");
}

TEST(GridDraw, RefusesWhatItCannotDo) {
  const model::Study study = model::network_study({2, 3}, {{}, {0}});
  const std::vector<release::Release> one{released(study, model::Mechanism::posterior_draw, 3)};
  InferOptions options;
  for (const auto engine : {EngineChoice::exact, EngineChoice::augment, EngineChoice::gibbs}) {
    options.engine = engine;
    EXPECT_EQ(refusal(one, options), ErrorCode::engine_unsuitable);
  }
  options.engine = EngineChoice::naive;
  options.prior = std::vector<Rational>{1};
  EXPECT_EQ(refusal(one, options), ErrorCode::bad_option);
}

TEST(GridDraw, IsWeighedByTheTablesEngineWhereItIsSmall) {
  const model::Study study = model::network_study({2, 2}, {{}, {0}});
  const release::Release release = released(study, model::Mechanism::map, 250);
  InferOptions options;
  options.draws = 200;
  const Posterior found = infer(std::span(&release, 1), options, {});
  EXPECT_EQ(found.engine, "tables");
  EXPECT_NE(found.reason.find("choices"), std::string::npos);
  for (const SummaryRow& row : found.summary) {
    EXPECT_GT(row.sd, 0);
    EXPECT_LT(row.q05, row.q95);
  }
  // omega + (1 - 2 omega) / 4 with omega = 1/20: a choice at a large budget is near the counts.
  EXPECT_NEAR(found.summary.front().mean, 0.275, 0.05);
  // Another prior is possible then: that of the choice is part of how it was made.
  options.prior = std::vector<Rational>{50};
  EXPECT_GT(infer(std::span(&release, 1), options, {}).summary.front().mean, 0.35);
}

TEST(GridDraw, IsTheDrawItselfWhereThereAreTooManyChoices) {
  const model::Study study = model::naive_study(3, 8);  // 7 + 3 * 8 * 7 splits
  const release::Release release = released(study, model::Mechanism::posterior_draw, 250);
  const Posterior found = infer(std::span(&release, 1), InferOptions(), {});
  EXPECT_EQ(found.engine, "posterior-draw");
  ASSERT_FALSE(found.warnings.empty());
  EXPECT_EQ(found.warnings.front().name, "no-interval");
}

TEST(GridDraw, SaysThatItIsIgnoredBesideTablesWhereThereAreTooMany) {
  const model::Study study = model::naive_study(3, 8);
  std::vector<release::Release> both{released(study, model::Mechanism::laplace, 10),
                                     released(study, model::Mechanism::posterior_draw, 250)};
  both[0].blocks.clear();
  const model::NoisePlan plan =
      make_noise_plan(study, model::Mechanism::laplace, Spend::parse(Currency::pure, "5"));
  for (const model::Block& block : plan.measurement.blocks)
    both[0].blocks.push_back({block, std::vector<Int128>(block.size, 12)});
  both[0].release_id = std::string(32, '1');
  both[1].release_id = std::string(32, '2');
  InferOptions options;
  options.draws = 50;
  const Posterior found = infer(both, options, {});
  EXPECT_EQ(found.engine, "exact");
  const auto named = [](const Warning& warning) { return warning.name == "ignored-choices"; };
  EXPECT_EQ(std::count_if(found.warnings.begin(), found.warnings.end(), named), 1);
}

}  // namespace
}  // namespace postern::infer
