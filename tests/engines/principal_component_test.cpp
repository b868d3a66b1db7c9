// Principal components through the analyst's door.
#include "postern/model/kinds/principal_component.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "postern/assess/calibrate.hpp"
#include "postern/assess/simulate.hpp"
#include "postern/core/error.hpp"
#include "postern/infer/infer.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study_file.hpp"
#include "postern/release/document.hpp"

namespace postern::infer {
namespace {

const char* const kStated =
    "normal-inverse-wishart = { mean = [0, 0, 0], weight = 4, degrees = 8, scale = [[4, 1, 0], [1, 3, 0], "
    "[0, "
    "0, 1]] }";

std::string study_text(bool add_remove, const std::string& prior) {
  return "version = 1\nname = \"s\"\ndataset = \"d\"\n[privacy]\ncurrency = \"zcdp\"\n" +
         std::string(add_remove ? "adjacency = \"add-remove\"\nn = { at_most = 90 }\n"
                                : "adjacency = \"replace-one\"\n") +
         "[columns.a]\nreal = [\"-4\", \"4\"]\ngrid = \"0.125\"\n[columns.b]\nreal = [\"-4\", \"4\"]\ngrid "
         "= "
         "\"0.125\"\n[columns.c]\nreal = [\"-4\", \"4\"]\ngrid = \"0.125\"\n[model]\nkind = "
         "\"principal-component\"\ncolumns = [\"a\", \"b\", \"c\"]\nprior = " +
         prior + "\n";
}

model::Study study(bool add_remove, const std::string& prior = kStated) {
  return model::parse_study(study_text(add_remove, "{ " + prior + " }"), "s.toml");
}

model::NoisePlan plan_of(const model::Study& study, std::int64_t nano_rho) {
  return model::make_noise_plan(study, model::Mechanism::gaussian, Spend{Currency::zcdp, nano_rho});
}

release::Release simulated(const model::Study& study, std::int64_t nano_rho, std::uint32_t stream) {
  Rng rng(20261118, stream, Purpose::test);
  release::Release out = assess::simulate_study(study, plan_of(study, nano_rho), 60, rng).release;
  out.release_id = out.ledger.record_set = std::string(32, static_cast<char>('a' + stream));
  return out;
}

double mean_of(const Posterior& posterior, const std::string& name) {
  for (const SummaryRow& row : posterior.summary) {
    if (row.name == name) return row.mean;
  }
  ADD_FAILURE() << name;
  return 0;
}

TEST(InferComponents, AreTheEigensystemOfTheNormalsDraws) {
  const release::Release release = simulated(study(true), 500'000'000, 0);
  EXPECT_EQ(release::parse_document(release::to_document(release)).release_id, release.release_id);
  InferOptions options;
  options.chains = 2;
  options.draws = 100;
  const Posterior own = infer(std::vector<release::Release>{release}, options, {});
  release::Release normal = release;
  const auto& model = release.study.model.get<model::PrincipalComponent>();
  normal.study.model = model.normal;
  const Posterior theirs = infer(std::vector<release::Release>{normal}, options, {});
  EXPECT_EQ(own.engine, "augment");
  EXPECT_EQ(own.names.size(), 3u + 3u + 1u + 2u * 4u);
  EXPECT_EQ(own.names[6], "n");
  for (std::size_t i = 0; i < 100; i += 7) {
    const auto at = [&](std::size_t q) { return own.draws[1][q * 100 + i]; };
    std::vector<double> values(9);
    for (std::size_t q = 0; q < 9; ++q) values[q] = theirs.draws[1][q * 100 + i];
    const auto axes = model::principal_axes(model::vector_theta(values, 3).covariance, 3);
    EXPECT_NEAR(at(0) + at(1) + at(2), 1, 1e-12);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(at(3 + k), axes.variances[k], 1e-12);
    double inner = 0;
    for (std::size_t j = 0; j < 3; ++j) inner += at(7 + j) * axes.axes[j];
    EXPECT_NEAR(std::abs(inner), 1, 1e-12);
    EXPECT_GE(at(10), 0);
    EXPECT_LE(at(10), 90);
  }
}

/// A release of sums that are given; all others are 0.
release::Release of_sums(const model::Study& study, std::int64_t nano_rho, std::int64_t n,
                         const std::map<std::string, std::int64_t>& sums) {
  release::Release out = simulated(study, nano_rho, 1);
  for (auto& measured : out.blocks) {
    const auto found =
        sums.find(measured.block.statistic.kind().text(measured.block.statistic, study.schema));
    measured.values = {found == sums.end() ? 0 : found->second};
  }
  out.n = release::PublicCount{n};
  return out;
}

/// Without noise to speak of, and many more records than the prior is worth, the axes are the sample's.
TEST(InferComponents, FindADirectionThatIsThere) {
  // Sums of 600 made-up records along (1, 1, 0): k counts eighths.
  const release::Release release = of_sums(study(false), 4'000'000'000'000, 600,
                                           {{"sum of squares of a", 600 * 64},
                                            {"sum of squares of b", 600 * 64},
                                            {"sum of squares of c", 600 * 4},
                                            {"sum of a x b", 600 * 51}});
  InferOptions options;
  options.chains = 2;
  options.draws = 300;
  const Posterior posterior = infer(std::vector<release::Release>{release}, options, {});
  EXPECT_NEAR(mean_of(posterior, "axis.1.1"), std::sqrt(0.5), 0.05);
  EXPECT_NEAR(mean_of(posterior, "axis.1.2"), std::sqrt(0.5), 0.05);
  EXPECT_NEAR(mean_of(posterior, "axis.1.3"), 0, 0.05);
  EXPECT_NEAR(mean_of(posterior, "share.1"), (64 + 51) / 132.0, 0.03);
  EXPECT_LT(mean_of(posterior, "angle.1"), 4);
  for (const Warning& warning : posterior.warnings) EXPECT_NE(warning.name, "axis-undetermined");
}

TEST(InferComponents, SaysWhichAxesAreNotKnown) {
  const release::Release release = simulated(study(false), 1'000'000, 2);  // noise and little else
  InferOptions options;
  options.chains = 2;
  options.draws = 300;
  const Posterior posterior = infer(std::vector<release::Release>{release}, options, {});
  bool warned = false;
  for (const Warning& warning : posterior.warnings) warned = warned || warning.name == "axis-undetermined";
  EXPECT_TRUE(warned);
}

/// What is said of three independent columns of 60,000 records with these variances, in squared eighths.
Posterior said_of(const std::array<std::int64_t, 3>& variances, std::int64_t nano_rho) {
  constexpr std::int64_t kRecords = 60'000;
  const model::Study one = model::parse_study(study_text(false, "\"learned\""), "s.toml");
  InferOptions options;
  options.chains = 2;
  options.draws = 300;
  return infer(std::vector<release::Release>{of_sums(one, nano_rho, kRecords,
                                                     {{"sum of squares of a", kRecords * variances[0]},
                                                      {"sum of squares of b", kRecords * variances[1]},
                                                      {"sum of squares of c", kRecords * variances[2]}})},
               options, {});
}

bool warned(const Posterior& posterior, const std::string& name) {
  return std::any_of(posterior.warnings.begin(), posterior.warnings.end(),
                     [&](const Warning& warning) { return warning.name == name; });
}

/// Any noise drives equal variances apart. Where noise leaves the shares to the prior, `infer` warns of that
/// instead, and tells the rest in a note.
TEST(InferComponents, SayWhereNoiseDrivesVariancesApart) {
  const auto noted = [](const Posterior& posterior) {
    return std::any_of(posterior.notes.begin(), posterior.notes.end(), [](const std::string& note) {
      return note.find("drives variances apart") != std::string::npos;
    });
  };
  const Posterior apart = said_of({256, 64, 16}, 1'000'000'000);
  EXPECT_FALSE(warned(apart, "shares-spread"));
  EXPECT_FALSE(noted(apart));
  const Posterior equal = said_of({64, 64, 64}, 1'000'000'000);
  EXPECT_TRUE(warned(equal, "shares-spread"));
  EXPECT_FALSE(warned(equal, "prior-outweighs-data"));
  const Posterior hidden = said_of({64, 64, 64}, 200);
  EXPECT_TRUE(warned(hidden, "prior-outweighs-data"));
  EXPECT_FALSE(warned(hidden, "shares-spread"));
  EXPECT_TRUE(noted(hidden));
}

void expect_calibrated(const model::Study& one, std::size_t studies) {
  assess::CalibrateOptions options;
  options.studies = studies;
  options.draws = 99;
  if (!one.privacy.n_at_most) options.n = 60;
  options.seed = 20261118;
  const assess::Calibration found = assess::calibrate(one, plan_of(one, 200'000'000), options, {});
  EXPECT_TRUE(found.passed()) << found.verdict();
}

TEST(InferComponents, AreCalibratedUnderHalfT) { expect_calibrated(study(false, "half-t = {}"), 40); }

TEST(LongInferComponents, AreCalibrated) {
  for (const bool add_remove : {false, true}) {
    expect_calibrated(study(add_remove), 400);
    expect_calibrated(study(add_remove, "half-t = {}"), 400);
  }
}

}  // namespace
}  // namespace postern::infer
