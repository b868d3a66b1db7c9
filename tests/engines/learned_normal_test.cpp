#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/assess/distances.hpp"
#include "postern/assess/simulate.hpp"
#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"
#include "postern/infer/analysis.hpp"
#include "postern/infer/moments/chain.hpp"
#include "postern/model/kinds/principal_component.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study_file.hpp"

#include "learned_regressions.hpp"
#include "ranks.hpp"

// Multivariate normals and principal components by moments: under the prior whose scales are learned, and
// under stated ones where there are many records.

namespace postern::infer {
namespace {

std::uint64_t seed() {
  const char* text = std::getenv("POSTERN_SEED");
  return text == nullptr ? 20261119 : std::strtoull(text, nullptr, 10);
}

/// Moments of n records under a covariance from the learned prior, means of records flat in the box.
struct LearnedMoments {
  std::vector<double> covariance;  ///< d x d
  std::int64_t n = 0;
  std::vector<double> moments;  ///< (d + 1) x (d + 1)
};

template <class DrawN>
LearnedMoments draw_learned_moments(std::size_t d, const std::vector<double>& units, DrawN draw_n, Rng& rng) {
  const std::size_t width = d + 1;
  for (;;) {
    const model::VectorTheta law = draw_learned_covariance_truth(d, rng, units);
    LearnedMoments out{law.covariance, draw_n(), std::vector<double>(width * width)};
    const auto n = static_cast<double>(out.n);
    std::vector<double> sums(d), mean(d), x(d), z(d);
    for (std::int64_t r = 0; r < out.n; ++r) {
      for (double& one : z) one = draw_normal(rng);
      for (std::size_t i = 0; i < d; ++i) {
        x[i] = 0;
        for (std::size_t k = 0; k < d; ++k) x[i] += law.root[i * d + k] * z[k];
        sums[i] += x[i];
        for (std::size_t j = 0; j <= i; ++j) out.moments[(i + 1) * width + j + 1] += x[i] * x[j];
      }
    }
    for (double& one : mean) one = 2 * rng.uniform() - 1;
    double chance = 1;
    out.moments[0] = n;
    for (std::size_t i = 0; i < d; ++i) {
      out.moments[(i + 1) * width] = n * mean[i];
      for (std::size_t j = 0; j <= i; ++j) {
        double& own = out.moments[(i + 1) * width + j + 1];
        own += n * mean[i] * mean[j] - sums[i] * sums[j] / n;
      }
      chance *= std::max(0.0, 1 - out.moments[(i + 1) * width + i + 1] / n);
    }
    if (rng.uniform() < std::sqrt(chance)) return out;
  }
}

struct Setting {
  std::size_t columns;
  std::int64_t n;
  double scale;  ///< of the noise
  std::size_t studies;
  bool latent = false;
  bool gaussian = false;
  double origin = 0;
  double assumed = scale;
  std::vector<double> units = {};  ///< of columns whose axes are asked for

  friend std::ostream& operator<<(std::ostream& out, const Setting& one) {
    return out << one.columns << " columns, " << one.n << " records, noise " << one.scale
               << (one.latent ? ", n private" : "") << (one.gaussian ? ", gaussian" : "")
               << (one.origin != 0 ? ", another origin" : "") << (one.units.empty() ? "" : ", axes");
  }
};

ScatterProblem seen(const LearnedMoments& truth, const Setting& setting, Rng& rng) {
  const auto shape = setting.gaussian ? MomentNoise::Shape::gaussian : MomentNoise::Shape::laplace;
  ScatterProblem out;
  out.columns = setting.columns;
  out.total = KnownTotal{truth.n};
  out.axis_units = setting.units;
  if (setting.latent) out.total = LatentTotal{2 * setting.n};
  if (setting.origin != 0) out.origin.assign(setting.columns, setting.origin);
  const auto at = [&](std::size_t i, std::size_t j) { return truth.moments[i * out.width() + j]; };
  for (std::size_t i = 0; i < out.width(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      if (i == 0 && !setting.latent) continue;
      double value = at(i, j) + draw_moment_noise({shape, setting.scale}, rng);
      const double o = setting.origin;
      if (i > 0 && j == 0) value += at(0, 0) * o;
      if (j > 0) value += o * (at(i, 0) + at(j, 0)) + o * o * at(0, 0);
      out.moments.push_back({i, j, value, {shape, setting.assumed}});
    }
  }
  return out;
}

/// Ranks of Sigma's entries, and of n, among 99 draws.
std::vector<double> ranks_of(const Setting& setting, std::size_t index) {
  constexpr std::size_t kDraws = 99;
  Rng rng(seed(), static_cast<std::uint32_t>(index), Purpose::calibration);
  const std::int64_t least = static_cast<std::int64_t>(setting.columns) + 2;
  const auto draw_n = [&] {
    if (!setting.latent) return setting.n;
    return least +
           static_cast<std::int64_t>(draw_below(static_cast<std::uint64_t>(2 * setting.n - least + 1), rng));
  };
  const LearnedMoments truth = draw_learned_moments(setting.columns, setting.units, draw_n, rng);
  const ScatterProblem problem = seen(truth, setting, rng);
  DriverOptions options;
  options.chains = 1;
  options.draws = kDraws;
  options.seed = rng();
  options.threads = 1;
  const MomentRun run = draw_learned_covariance(problem, options, {});
  const std::size_t d = setting.columns;
  std::vector<double> values;
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = i; j < d; ++j) values.push_back(truth.covariance[i * d + j]);
  }
  std::vector<double> out;
  const auto rank = [&](double value, std::size_t q) {
    return rank_of(value, std::span(run.chains.draws[0]).subspan(q * kDraws, kDraws), rng);
  };
  for (std::size_t q = 0; q < values.size(); ++q) out.push_back(rank(values[q], q));
  if (setting.latent)
    out.push_back(rank(static_cast<double>(truth.n), LearnedCovarianceQuantities(problem).total));
  return out;
}

/// The largest Kolmogorov-Smirnov distance of a quantity's ranks.
double worst_distance(const Setting& setting) {
  std::vector<std::vector<double>> ranks(setting.studies);
  parallel_for(setting.studies, 0, [&](std::size_t i) { ranks[i] = ranks_of(setting, i); });
  double worst = 0;
  for (std::size_t q = 0; q < ranks.front().size(); ++q) {
    std::vector<double> own;
    own.reserve(ranks.size());
    for (const std::vector<double>& one : ranks) own.push_back(one[q]);
    worst = std::max(worst, assess::ks_uniform(own));
  }
  return worst;
}

class LearnedCovarianceCalibration : public testing::TestWithParam<Setting> {};

// With a right posterior the distance exceeds 2.70 / sqrt(M) with probability 1e-6 a quantity.
TEST_P(LearnedCovarianceCalibration, RanksAreUniform) {
  EXPECT_LT(worst_distance(GetParam()), 2.70 / std::sqrt(static_cast<double>(GetParam().studies)));
}

INSTANTIATE_TEST_SUITE_P(All, LearnedCovarianceCalibration,
                         testing::Values(Setting{2, 100, 3, 40}, Setting{2, 100, 8, 40, true, true, 2},
                                         Setting{2, 100, 3, 40, false, false, 0, 3, {1, 4}}));
INSTANTIATE_TEST_SUITE_P(Long, LearnedCovarianceCalibration,
                         testing::Values(Setting{2, 500, 10, 1000}, Setting{4, 500, 20, 1000},
                                         Setting{3, 100, 3, 1000, true}, Setting{8, 2000, 30, 200},
                                         Setting{3, 300, 10, 1000, false, true, 3},
                                         Setting{3, 500, 10, 200, false, false, 0, 10, {1, 1, 5}}));

// The test can fail: noise that is taken for a tenth of its width is found out.
TEST(LearnedCovarianceCalibrationItself, SeesAWrongNoise) {
  Setting setting{2, 100, 30, 40};
  setting.assumed = 1;
  EXPECT_GT(worst_distance(setting), 2.70 / std::sqrt(40.0));
}

enum class Family { normal, components };

model::Study study_of(Family family, int columns, const std::string& prior, bool add_remove = false) {
  std::string text = "version = 2\nname = \"s\"\ndataset = \"d\"\n[privacy]\ncurrency = \"zcdp\"\n";
  text +=
      add_remove ? "adjacency = \"add-remove\"\nn = { at_most = 9000 }\n" : "adjacency = \"replace-one\"\n";
  std::string names;
  for (int c = 0; c < columns; ++c) {
    const std::string name = "c" + std::to_string(c);
    text += "[columns." + name + "]\nreal = [\"-1\", \"3\"]\ngrid = \"0.01\"\n";
    names += (c == 0 ? "\"" : ", \"") + name + "\"";
  }
  text += family == Family::normal ? "[model]\nkind = \"family\"\nfamily = \"multivariate-normal\"\n"
                                   : "[model]\nkind = \"principal-component\"\n";
  return model::parse_study(text + "columns = [" + names + "]\nprior = " + prior + "\n", "s.toml");
}

/// Means in the middle, sds of `sd`, correlations 0.3.
std::string stated(double sd) {
  const auto text = [](double x) { return std::to_string(x); };
  const double v = 9 * sd * sd;
  return "{ normal-inverse-wishart = { mean = [1, 1], weight = 20, degrees = 12, scale = [[\"" + text(v) +
         "\", \"" + text(0.3 * v) + "\"], [\"" + text(0.3 * v) + "\", \"" + text(v) + "\"]] } }";
}

struct Made {
  release::Release release;
  std::shared_ptr<const model::SimulatedRecords> records;
};

Made made(const model::Study& study, std::int64_t nano_rho, std::int64_t n, std::uint32_t stream) {
  Rng rng(seed(), stream, Purpose::test);
  const auto plan =
      model::make_noise_plan(study, model::Mechanism::gaussian, Spend{Currency::zcdp, nano_rho});
  auto simulated = assess::simulate_study(study, plan, n, rng);
  Made out{std::move(simulated.release), std::move(simulated.records)};
  out.release.release_id = out.release.ledger.record_set = std::string(32, 'a');
  return out;
}

Posterior inferred(const release::Release& release, std::size_t draws,
                   EngineChoice engine = EngineChoice::automatic) {
  InferOptions options;
  options.chains = 2;
  options.draws = draws;
  options.engine = engine;
  return infer({&release, 1}, options, {});
}

/// Without noise to speak of the posterior is the one of someone who sees the records, under any vague prior.
TEST(InferLearnedNormal, IsConjugateWithoutNoise) {
  for (const int columns : {2, 5}) {
    const model::Study study = study_of(Family::normal, columns, "\"learned\"");
    const Made one = made(study, 1'000'000'000'000'000, 600, 0);
    const Posterior posterior = inferred(one.release, 500);
    EXPECT_EQ(posterior.engine, "moments");
    const auto& sums = dynamic_cast<const model::SimulatedVectors&>(*one.records).sums();
    const auto d = static_cast<std::size_t>(columns);
    const model::WishartPrior vague{std::vector<double>(d, 1), 1e-3, static_cast<double>(d), [&] {
                                      std::vector<double> scale(d * d);
                                      for (std::size_t i = 0; i < d; ++i) scale[i * d + i] = 1e-6;
                                      return scale;
                                    }()};
    Rng rng(1, 0, Purpose::test);
    std::vector<std::vector<double>> draws;
    for (const model::VectorTheta& theta : model::draw_after(vague, sums, 3000, rng))
      draws.push_back(model::parameter_values(theta));
    for (std::size_t q = 0; q < posterior.names.size(); ++q) {
      double mean = 0;
      double squares = 0;
      for (const auto& values : draws) {
        mean += values[q] / 3000;
        squares += values[q] * values[q] / 3000;
      }
      const double sd = std::sqrt(squares - mean * mean);
      EXPECT_NEAR(posterior.summary[q].mean, mean, 0.4 * sd) << posterior.names[q];
      EXPECT_NEAR(posterior.summary[q].sd, sd, 0.25 * sd) << posterior.names[q];
    }
  }
}

/// Latent records and moments are two engines for one law where bounds hold nearly all records.
TEST(InferNormalByMoments, AgreesWithLatentRecords) {
  const model::Study study = study_of(Family::normal, 2, stated(0.3));
  const Made one = made(study, 100'000'000, 300, 1);
  const Posterior moments = inferred(one.release, 1000, EngineChoice::moments);
  const Posterior records = inferred(one.release, 1000, EngineChoice::augment);
  ASSERT_EQ(moments.engine, "moments");
  ASSERT_EQ(records.engine, "augment");
  for (std::size_t q = 0; q < moments.names.size(); ++q) {
    const SummaryRow& a = moments.summary[q];
    const SummaryRow& b = records.summary[q];
    // Some 400 effective draws or more of either.
    EXPECT_NEAR(a.mean, b.mean, (5 * std::sqrt(2.0 / 400) + 0.1) * b.sd) << a.name;
    EXPECT_NEAR(a.sd, b.sd, 0.25 * b.sd) << a.name;
  }
}

TEST(InferNormalByMoments, IsChosenWhereThereAreManyRecords) {
  const model::Study study = study_of(Family::normal, 2, stated(0.3));
  EXPECT_EQ(inferred(made(study, 100'000'000, 300, 2).release, 50).engine, "augment");
  EXPECT_EQ(inferred(made(study, 100'000'000, 200'000, 2).release, 50).engine, "moments");
  const model::Study components =
      study_of(Family::components, 3, "{ half-t = { weight = 20, spread = \"0.1\" } }");
  EXPECT_EQ(inferred(made(components, 100'000'000, 200'000, 3).release, 50).engine, "moments");
}

bool warned(const Posterior& posterior, const std::string& name) {
  return std::any_of(posterior.warnings.begin(), posterior.warnings.end(),
                     [&](const Warning& warning) { return warning.name == name; });
}

/// Sds as wide as half the range: many records are clamped, which moments do not know.
TEST(InferNormalByMoments, LeavesClampedRecordsToLatentOnes) {
  const model::Study study = study_of(Family::normal, 2, stated(1.5));
  EXPECT_EQ(inferred(made(study, 10'000'000'000, 1600, 4).release, 20).engine, "augment");
  const model::Study wide = study_of(Family::normal, 2, stated(2.5));
  const Posterior many = inferred(made(wide, 10'000'000'000, 50'000, 4).release, 20);  // these take minutes
  EXPECT_EQ(many.engine, "moments");
  EXPECT_TRUE(warned(many, "columns-clamped"));
}

TEST(InferLearnedNormal, WarnsOfClampedColumns) {
  const Made one = made(study_of(Family::normal, 2, stated(2.5)), 10'000'000'000, 3000, 5);
  AnalysisRequest request;
  request.prior = "learned";
  InferOptions options;
  options.chains = 2;
  options.draws = 100;
  const Posterior posterior = analyse({&one.release, 1}, request, options, {});
  EXPECT_EQ(posterior.engine, "moments");
  EXPECT_TRUE(warned(posterior, "columns-clamped"));
}

TEST(InferLearnedNormal, RefusesLatentRecords) {
  const Made one = made(study_of(Family::components, 2, "\"learned\""), 100'000'000, 300, 6);
  try {
    (void)inferred(one.release, 50, EngineChoice::augment);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::engine_unsuitable);
  }
}

/// Fewer records than columns and two: the law that plans are made with, which is said.
TEST(InferLearnedNormal, SaysThatFewRecordsAreNotLearnedFrom) {
  for (const int columns : {3, 9}) {
    const Made one = made(study_of(Family::components, columns, "\"learned\""), 100'000'000, 4, 8);
    const Posterior posterior = inferred(one.release, 20);
    const auto said = [](const std::string& note) { return note.find("plans are made") < note.size(); };
    EXPECT_TRUE(std::any_of(posterior.notes.begin(), posterior.notes.end(), said)) << columns;
  }
}

/// Sensitivity varies the law of the columns' typical sds: where noise says all the answer moves.
TEST(InferLearnedNormal, SensitivityVariesTheScale) {
  const Made one = made(study_of(Family::components, 2, "\"learned\""), 20'000, 200, 7);
  AnalysisRequest request;
  request.sensitivity = true;
  InferOptions options;
  options.chains = 2;
  options.draws = 150;
  const Posterior posterior = analyse({&one.release, 1}, request, options, {});
  ASSERT_EQ(posterior.sensitivity.size(), 2U);
  const auto variance = [](const std::vector<SummaryRow>& rows) { return rows.at(2).q50; };
  EXPECT_LT(variance(posterior.sensitivity[0].summary), variance(posterior.sensitivity[1].summary));
}

/// 90 % intervals under truths of the planning law, which the learned prior was not made from.
double coverage(const model::Study& study, std::int64_t nano_rho, std::int64_t n, std::uint32_t studies) {
  std::vector<double> held(studies);
  parallel_for(studies, 0, [&](std::size_t s) {
    const Made one = made(study, nano_rho, n, 100 + static_cast<std::uint32_t>(s));
    InferOptions options;
    options.chains = 1;
    options.draws = 400;
    options.threads = 1;
    const Posterior posterior = infer({&one.release, 1}, options, {});
    const std::vector<double>& truth = one.records->theta();
    for (std::size_t q = 0; q < truth.size(); ++q) {
      const SummaryRow& row = posterior.summary[q];
      held[s] += row.q05 <= truth[q] && truth[q] <= row.q95 ? 1.0 / static_cast<double>(truth.size()) : 0;
    }
  });
  double sum = 0;
  for (const double one : held) sum += one / studies;
  return sum;
}

TEST(InferLearnedNormal, CoversTheTruth) {
  // Quantities of one study are far from independent: its standard error is about 0.2.
  for (const Family family : {Family::normal, Family::components}) {
    const double held = coverage(study_of(family, 3, "\"learned\""), 20'000'000, 2000, 12);
    // Variances of the planning law are nearly equal, and noise drives their shares apart.
    EXPECT_GT(held, (family == Family::normal ? 0.87 : 0.77) - 4.75 * 0.2 / std::sqrt(12.0));
    std::printf("%s: held %.3f\n", family == Family::normal ? "normal" : "components", held);
  }
}

TEST(LongInferLearnedNormal, CoversTheTruth) {
  for (const bool add_remove : {false, true}) {
    for (const Family family : {Family::normal, Family::components}) {
      for (const int columns : {2, 4, 9}) {
        if (family == Family::normal && columns > 8) continue;
        const model::Study study = study_of(family, columns, "\"learned\"", add_remove);
        const double held = coverage(study, 50'000'000, 2000, 200);
        // Variances of the planning law are nearly equal, and noise drives their shares apart.
        const double least = family == Family::normal ? 0.87 : 0.77;
        EXPECT_GT(held, least - 4 * 0.2 / std::sqrt(200.0)) << columns;
      }
    }
  }
}

}  // namespace
}  // namespace postern::infer
