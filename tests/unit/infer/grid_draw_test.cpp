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
    const Posterior found = infer(std::span(&release, 1), InferOptions(), {});
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

TEST(GridDraw, RefusesWhatNeedsNoisyCounts) {
  const model::Study study = model::network_study({2, 3}, {{}, {0}});
  const std::vector<release::Release> one{released(study, model::Mechanism::posterior_draw, 3)};
  InferOptions options;
  for (const auto engine : {EngineChoice::exact, EngineChoice::tables, EngineChoice::naive}) {
    options.engine = engine;
    EXPECT_EQ(refusal(one, options), ErrorCode::engine_unsuitable);
  }
  options.engine = EngineChoice::automatic;
  options.prior = std::vector<Rational>{1};
  EXPECT_EQ(refusal(one, options), ErrorCode::bad_option);
}

}  // namespace
}  // namespace postern::infer
