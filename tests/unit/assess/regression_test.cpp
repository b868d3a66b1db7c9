#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/assess/simulate.hpp"
#include "postern/core/error.hpp"
#include "postern/infer/analysis.hpp"
#include "postern/infer/kind.hpp"
#include "postern/infer/predict.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study_file.hpp"

// A regression from simulated study to posterior and prediction, in the units of the study.

namespace postern::infer {
namespace {

model::Study regression_study(const std::string& privacy = "adjacency = \"replace-one\"\n") {
  return model::parse_study(
      "version = 1\nname = \"s\"\ndataset = \"d\"\n[privacy]\nunit = \"record\"\ncurrency = \"pure\"\n" +
          privacy +
          "[columns.age]\ninteger = [18, 98]\nmissing = \"58\"\n"
          "[columns.work]\ncategories = [\"none\", \"some\", \"much\"]\nmissing = \"none\"\n"
          "[columns.pressure]\ninteger = [60, 240]\nmissing = \"150\"\n"
          "[model]\nkind = \"linear-regression\"\ntarget = \"pressure\"\n",
      "s.toml");
}

/// intercept, slope of age, effects of work = some and work = much, sigma
const std::vector<double> kTruth{110, 0.5, 6, -9, 10};

release::Release regression_release(const model::Study& study, std::int64_t n, std::int64_t nano_epsilon,
                                    const std::vector<double>& truth) {
  const model::NoisePlan plan =
      model::make_noise_plan(study, model::Mechanism::laplace, Spend{Currency::pure, nano_epsilon});
  Rng rng(20261118, 7, Purpose::test);
  release::Release release = assess::simulate_study(study, plan, n, truth, rng).release;
  release.release_id = release.ledger.record_set = std::string(32, 'a');
  return release;
}

Posterior answer(const release::Release& release, const std::string& engine = "auto") {
  InferOptions options;
  options.chains = 2;
  options.draws = 500;
  options.threads = 1;
  return analyse(std::vector{release}, {engine, {}, {}, false}, options, {});
}

bool warns(const Posterior& posterior, const std::string& name) {
  return std::any_of(posterior.warnings.begin(), posterior.warnings.end(),
                     [&](const Warning& one) { return one.name == name; });
}

TEST(Regression, FindsTheTruthInTheStudysUnits) {
  for (const char* privacy :
       {"adjacency = \"replace-one\"\n", "adjacency = \"add-remove\"\nn = { at_most = 9000 }\n"}) {
    const Posterior found =
        answer(regression_release(regression_study(privacy), 4000, 20'000'000'000, kTruth));
    EXPECT_EQ(found.engine, "moments");
    ASSERT_GE(found.summary.size(), kTruth.size());
    for (std::size_t q = 0; q < kTruth.size(); ++q) {
      const SummaryRow& row = found.summary[q];
      EXPECT_NEAR(row.mean, kTruth[q], 5 * row.sd) << row.label;
      EXPECT_LT(row.sd, 3) << row.label;
      EXPECT_GT(row.ess.value_or(0), 200) << row.label;
    }
    EXPECT_FALSE(warns(found, "target-clamped"));
  }
}

TEST(Regression, PlugInIsNarrowerAndSaysSo) {
  const release::Release release = regression_release(regression_study(), 1000, 1'000'000'000, kTruth);
  const Posterior ours = answer(release);
  const Posterior naive = answer(release, "naive");
  EXPECT_LT(naive.summary[1].sd, 0.5 * ours.summary[1].sd);
  EXPECT_TRUE(warns(naive, "naive-ignores-noise"));
}

TEST(Regression, WarnsOfATargetThatIsClamped) {
  // Means of 60 to 100 with a deviation of 20: about a sixth of the records lie below 60.
  const Posterior found =
      answer(regression_release(regression_study(), 4000, 20'000'000'000, {51, 0.5, 0, 0, 20}));
  EXPECT_TRUE(warns(found, "target-clamped"));
}

TEST(Regression, RefusesOtherEngines) {
  const release::Release release = regression_release(regression_study(), 100, 1'000'000'000, kTruth);
  for (const char* engine : {"exact", "tables", "augment", "gibbs"}) {
    try {
      (void)answer(release, engine);
      FAIL() << engine;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::engine_unsuitable) << engine;
    }
  }
}

TEST(Regression, ReadsATruth) {
  const model::Study study = regression_study();
  const auto read = [&](const std::string& text) { return kind_of(study.model).truth(text, study); };
  EXPECT_EQ(read("intercept 100, slope of age 0.5, sigma 12"), (std::vector<double>{100, 0.5, 0, 0, 12}));
  EXPECT_THROW((void)read("slope of age 0.5"), Error);
  EXPECT_THROW((void)read("sigma -1"), Error);
}

TEST(Regression, PredictsTheMeanOfANewRecord) {
  const release::Release release = regression_release(regression_study(), 4000, 20'000'000'000, kTruth);
  const Posterior posterior = answer(release);
  const Rows rows =
      read_rows({{"40", "60", {}}, {"none", "much", "none"}, {"130", "131", "100"}}, regression_study());
  const Predictions found = predict(posterior, rows, {}, {});
  ASSERT_TRUE(found.numbers.has_value());
  EXPECT_NEAR(found.numbers->mean[0], 130, 3);
  EXPECT_NEAR(found.numbers->mean[1], 131, 3);
  EXPECT_TRUE(std::isnan(found.numbers->mean[2]));
  EXPECT_NEAR(found.numbers->high[0] - found.numbers->low[0], 2 * 1.645 * 10, 4);
  EXPECT_EQ(found.judged, 2u);
  EXPECT_EQ(found.numbers->coverage.value_or(0), 1);
  EXPECT_LT(found.numbers->rmse.value_or(99), 3);
  EXPECT_NEAR(found.numbers->log_score.value_or(0), -std::log(10 * std::sqrt(2 * 3.14159265)), 0.15);
  EXPECT_EQ(predictions_csv(found).substr(0, 29), "row,prediction,truth,q05,q95\n");
  PredictOptions other;
  other.target = "age";
  EXPECT_THROW((void)predict(posterior, rows, other, {}), Error);
}

}  // namespace
}  // namespace postern::infer
