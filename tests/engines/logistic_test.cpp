#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "postern/assess/calibrate.hpp"
#include "postern/assess/simulate.hpp"
#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/infer/infer.hpp"
#include "postern/release/noise_law.hpp"

#include "logistic_studies.hpp"

// The posterior of a logistic regression from noisy gradients: against latent records, which are exact, and
// calibrated.

namespace postern {
namespace {

using model::Adjacency;

/// Data augmentation: every record is proposed anew from the model, or the coefficients given all records.
/// Exact, and slow. Returns the coefficients' means and deviations, of scaled columns.
class LatentRecords {
 public:
  LatentRecords(const release::Release& release, std::int64_t n)
      : release_(release),
        model_(release.study.model.get<model::LogisticRegression>()),
        entries_(model::gradient_at(model_, {}), release.study.schema),
        features_(model::covariate_law(model_, release.study.schema)),
        theta_(entries_.size(), 0.0),
        rng_(20261118, 87, Purpose::test) {
    for (const release::MeasuredBlock& block : release.blocks) {
      sums_.emplace_back(block.values.size(), 0);
      laws_.push_back(release::noise_law(block.block.noise));
    }
    for (std::int64_t i = 0; i < n; ++i) records_.push_back(propose());
    for (const Latent& one : records_) {
      for (std::size_t t = 0; t < sums_.size(); ++t) add(one.terms[t], sums_[t], 1);
    }
  }

  struct Moments {
    std::vector<double> mean, sd;
  };
  Moments run(int sweeps) {
    std::vector<double> first(theta_.size(), 0.0);
    std::vector<double> second(theta_.size(), 0.0);
    for (int sweep = -sweeps / 10; sweep < sweeps; ++sweep) {
      for (Latent& one : records_) replace(one);
      for (int move = 0; move < 10; ++move) move_theta();
      if (sweep < 0) continue;
      for (std::size_t j = 0; j < theta_.size(); ++j) {
        first[j] += theta_[j] / sweeps;
        second[j] += theta_[j] * theta_[j] / sweeps;
      }
    }
    for (std::size_t j = 0; j < first.size(); ++j) second[j] = std::sqrt(second[j] - first[j] * first[j]);
    return {first, second};
  }

 private:
  struct Latent {
    std::vector<double> w;
    bool y = false;
    std::vector<std::vector<Int128>> terms;
  };

  static void add(const std::vector<Int128>& term, std::vector<Int128>& sum, int sign) {
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += sign * term[j];
  }
  [[nodiscard]] double odds(const std::vector<double>& w, const std::vector<double>& theta) const {
    double out = 0;
    for (std::size_t j = 0; j < w.size(); ++j) out += w[j] * theta[j];
    return out;
  }
  Latent propose() {
    std::vector<std::uint32_t> levels(model_.features.size() + 1, 0);
    features_.draw(levels, rng_);
    std::vector<std::int64_t> w(entries_.size());
    entries_.fill(levels, w);
    Latent out;
    for (const std::int64_t one : w) out.w.push_back(static_cast<double>(one) / 1024);
    out.y = rng_.uniform() < 1 / (1 + std::exp(-odds(out.w, theta_)));
    levels.back() = out.y ? 1 : 0;
    for (const release::MeasuredBlock& block : release_.blocks) {
      const auto tally = block.block.statistic.kind().tally(block.block.statistic, release_.study.schema);
      tally->add(levels, 1);
      out.terms.push_back(tally->values());
    }
    return out;
  }
  [[nodiscard]] double log_noise(const std::vector<std::vector<Int128>>& sums) const {
    double out = 0;
    for (std::size_t t = 0; t < sums.size(); ++t) {
      for (std::size_t j = 0; j < sums[t].size(); ++j)
        out += release::log_pmf(laws_[t], static_cast<double>(release_.blocks[t].values[j] - sums[t][j]));
    }
    return out;
  }
  void replace(Latent& one) {
    Latent other = propose();
    auto sums = sums_;
    for (std::size_t t = 0; t < sums.size(); ++t) {
      add(one.terms[t], sums[t], -1);
      add(other.terms[t], sums[t], 1);
    }
    if (!(-draw_exponential(rng_) < log_noise(sums) - log_noise(sums_))) return;
    sums_ = std::move(sums);
    one = std::move(other);
  }
  [[nodiscard]] double log_density(const std::vector<double>& theta) const {
    double out = 0;
    const double sd = model_.prior_sd.get_d();
    for (const double one : theta) out -= 0.5 * one * one / (sd * sd);
    for (const Latent& one : records_) out -= std::log1p(std::exp((one.y ? -1 : 1) * odds(one.w, theta)));
    return out;
  }
  void move_theta() {
    std::vector<double> tried = theta_;
    const double length = 3 / std::sqrt(static_cast<double>(records_.size()));
    for (double& one : tried) one += length * draw_normal(rng_);
    if (-draw_exponential(rng_) < log_density(tried) - log_density(theta_)) theta_ = std::move(tried);
  }

  const release::Release& release_;
  const model::LogisticRegression& model_;
  model::GradientEntries entries_;
  model::CovariateLaw features_;
  std::vector<double> theta_;
  Rng rng_;
  std::vector<std::vector<Int128>> sums_;
  std::vector<release::NoiseLaw> laws_;
  std::vector<Latent> records_;
};

infer::Posterior inferred(const release::Release& release, std::size_t draws = 1000,
                          infer::EngineChoice engine = infer::EngineChoice::automatic) {
  infer::InferOptions options;
  options.draws = draws;
  options.engine = engine;
  return infer::infer({&release, 1}, options, {});
}

TEST(LogisticInfer, AgreesWithLatentRecords) {
  constexpr std::int64_t kRecords = 120;
  const model::Study study = model::logistic_study({.rounds = 2, .n = kRecords});
  const auto& model = study.model.get<model::LogisticRegression>();
  Rng rng(20261118, 88, Purpose::test);
  const std::vector<double> truth = model::natural_coefficients({0.5, 1.5}, model, study.schema);
  const auto made = assess::simulate_study(study, model::logistic_plan(study, "3"), kRecords, truth, rng, {});
  const auto exact = LatentRecords(made.release, kRecords).run(3000);
  for (const auto engine : {infer::EngineChoice::gibbs, infer::EngineChoice::augment}) {
    const auto found = inferred(made.release, 500, engine);
    const std::vector<double> mean =
        model::scaled_coefficients({found.summary[0].mean, found.summary[1].mean}, model, study.schema);
    EXPECT_NEAR(mean[1], exact.mean[1], 0.3 * exact.sd[1]) << found.engine;
    EXPECT_NEAR(found.summary[1].sd * 20, exact.sd[1], 0.2 * exact.sd[1]) << found.engine;
    EXPECT_NEAR(mean[0], exact.mean[0], 0.3 * exact.sd[0]) << found.engine;
  }
}

/// A few records: gradients are far from normal, and records are followed unless somebody asks for less.
TEST(LogisticInfer, FollowsFewRecords) {
  const model::Study study = model::logistic_study({.rounds = 2, .n = 20});
  Rng rng(20261118, 92, Purpose::test);
  const auto made = assess::simulate_study(study, model::logistic_plan(study, "5"), 20, rng, {});
  EXPECT_EQ(inferred(made.release, 100).engine, "augment");
  EXPECT_EQ(inferred(made.release, 100, infer::EngineChoice::gibbs).engine, "gibbs");
}

/// What is released is noised round by round as `split` says, and each round counts for what it is worth.
TEST(LogisticInfer, TakesPathsOfVaryingEpsilon) {
  constexpr std::int64_t kRecords = 400;
  model::Study study = model::logistic_study({.rounds = 3, .n = kRecords});
  auto model = study.model.get<model::LogisticRegression>();
  model.split = {1, 10, 2};
  study.model = model;
  Rng rng(20261118, 93, Purpose::test);
  const std::vector<double> truth = model::natural_coefficients({0.5, -1}, model, study.schema);
  const auto made = assess::simulate_study(study, model::logistic_plan(study, "5"), kRecords, truth, rng, {});
  const auto gibbs = inferred(made.release, 500, infer::EngineChoice::gibbs);
  const auto exact = inferred(made.release, 500, infer::EngineChoice::augment);
  EXPECT_NEAR(gibbs.summary[1].mean, exact.summary[1].mean, 0.3 * exact.summary[1].sd);
  EXPECT_NEAR(gibbs.summary[1].sd, exact.summary[1].sd, 0.2 * exact.summary[1].sd);
}

TEST(LogisticInfer, FindsTheTruthWhenNoiseVanishes) {
  constexpr std::int64_t kRecords = 20'000;
  const model::Study study = model::logistic_study({.numbers = 2, .category = 3, .n = kRecords});
  const auto& model = study.model.get<model::LogisticRegression>();
  const std::vector<double> scaled{-0.5, 1, -2, 0.7, 0.2};
  Rng rng(20261118, 89, Purpose::test);
  const auto made = assess::simulate_study(study, model::logistic_plan(study, "1000"), kRecords,
                                           model::natural_coefficients(scaled, model, study.schema), rng, {});
  const auto found = inferred(made.release, 200);
  std::vector<double> natural;
  for (const auto& row : found.summary) natural.push_back(row.mean);
  const std::vector<double> mean = model::scaled_coefficients(natural, model, study.schema);
  for (std::size_t j = 0; j < scaled.size(); ++j) EXPECT_NEAR(mean[j], scaled[j], 0.2) << j;
}

TEST(LogisticInfer, IsThePriorWithoutBudget) {
  const model::Study study = model::logistic_study({.rounds = 2, .n = 50});
  Rng rng(20261118, 90, Purpose::test);
  const auto made = assess::simulate_study(study, model::logistic_plan(study, "0.0001"), 50, rng, {});
  const auto found = inferred(made.release);
  EXPECT_NEAR(found.summary[1].sd * 20, 2.5, 0.2);
}

void expect_calibrated(const model::LogisticSetting& setting, const std::string& amount,
                       std::size_t studies) {
  const model::Study study = model::logistic_study(setting);
  assess::CalibrateOptions options;
  options.studies = studies;
  options.seed = 20261118;
  if (!study.privacy.n_at_most) options.n = setting.n;
  const auto result = assess::calibrate(study, model::logistic_plan(study, amount), options, {});
  for (const auto& quantity : result.quantities)
    EXPECT_LT(quantity.ks, result.ks_limit()) << quantity.name << " at " << amount;
}

/// The distance of the ranks from uniform exceeds the limit with probability 1e-6 a quantity.
TEST(LogisticInfer, IsCalibrated) {
  expect_calibrated({.rounds = 3, .n = 400}, "1", 40);
  expect_calibrated({.category = 3, .rounds = 2, .currency = Currency::zcdp, .n = 400}, "1", 20);
}

/// Features that are skewed, as the study says; and few records.
TEST(LogisticInfer, IsCalibratedForOtherLawsOfFeatures) {
  using Shape = model::ColumnLaw::Shape;
  const model::Covariates skewed{{{Shape::normal, {35, 6}}, {Shape::weights, {8, 1, 1}}}, {}};
  expect_calibrated({.category = 3, .rounds = 2, .n = 400, .covariates = skewed}, "1", 20);
  expect_calibrated({.rounds = 2, .n = 30}, "2", 20);
}

/// Ninety-per-cent intervals of the slope where the law of the features is known by forty public rows alone.
/// Intervals that took the rows for the law itself held the truth in 10 of these studies.
TEST(LogisticInfer, AccountsForPublicRowsBeingFew) {
  constexpr std::int64_t kRecords = 2000;
  constexpr int kStudies = 40;
  Rng rng(20261118, 94, Purpose::test);
  int covered = 0;
  for (int s = 0; s < kStudies; ++s) {
    const model::Study truth = model::logistic_study({.rounds = 1, .n = kRecords});
    model::Covariates rows;
    for (int i = 0; i < 40; ++i) rows.rows.push_back(static_cast<std::uint32_t>(draw_below(41, rng)));
    auto made = assess::simulate_study(truth, model::logistic_plan(truth, "100"), kRecords,
                                       std::vector<double>{-2, 0.1}, rng, {});
    made.release.study = model::logistic_study({.rounds = 1, .n = kRecords, .covariates = rows});
    infer::InferOptions options;
    options.draws = 200;
    options.chains = 2;
    const auto found = infer::infer({&made.release, 1}, options, {});
    covered += found.summary[1].q05 < 0.1 && 0.1 < found.summary[1].q95 ? 1 : 0;
  }
  // In 200 such studies 170 intervals held it; Binomial(40, 0.85) is below 28 with probability 0.4 %.
  EXPECT_GE(covered, 28);
}

TEST(LongLogisticInfer, IsCalibrated) {
  expect_calibrated({.numbers = 3, .rounds = 10, .n = 1000}, "1", 300);
  expect_calibrated({.rounds = 5, .adjacency = Adjacency::add_remove, .n = 1000}, "1", 300);
}

TEST(LogisticInfer, RefusesOtherEngines) {
  const model::Study study = model::logistic_study({.rounds = 2, .n = 50});
  Rng rng(20261118, 91, Purpose::test);
  const auto made = assess::simulate_study(study, model::logistic_plan(study, "1"), 50, rng, {});
  infer::InferOptions options;
  options.engine = infer::EngineChoice::bounds;
  EXPECT_THROW(static_cast<void>(infer::infer({&made.release, 1}, options, {})), Error);
  options.engine = infer::EngineChoice::exact;
  EXPECT_THROW(static_cast<void>(infer::infer({&made.release, 1}, options, {})), Error);
}

}  // namespace
}  // namespace postern
