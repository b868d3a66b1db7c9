// Principal components of more than eight columns, through the analyst's door.
#include "postern/model/kinds/wide_components.hpp"

#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "postern/assess/simulate.hpp"
#include "postern/core/error.hpp"
#include "postern/infer/infer.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study_file.hpp"
#include "postern/release/document.hpp"

namespace postern::infer {
namespace {

/// Columns that reach -1..1 at about four standard deviations.
const char* const kStated = "components = { weight = 20, spread = \"0.04\" }";
/// Deviations of a twentieth of half a range: bounds hold all but few records.
const char* const kHalfT = "half-t = { weight = 20, spread = \"0.05\" }";

model::Study study(int columns, bool add_remove = false, const std::string& more = "",
                   const std::string& prior = kStated) {
  std::string text = "version = 1\nname = \"s\"\ndataset = \"d\"\n[privacy]\ncurrency = \"zcdp\"\n" +
                     std::string(add_remove ? "adjacency = \"add-remove\"\nn = { at_most = 9000 }\n"
                                            : "adjacency = \"replace-one\"\n");
  std::string names;
  for (int c = 0; c < columns; ++c) {
    const std::string name = "c" + std::to_string(c);
    text += "[columns." + name + "]\nreal = [\"-3\", \"3\"]\ngrid = \"0.001\"\n";
    names += (c == 0 ? "\"" : ", \"") + name + "\"";
  }
  return model::parse_study(text + "[model]\nkind = \"principal-component\"\ncolumns = [" + names +
                                "]\nprior = { " + prior + " }\n" + more,
                            "s.toml");
}

struct Made {
  release::Release release;
  std::shared_ptr<const model::SimulatedRecords> records;
};

Made made(const model::Study& study, std::int64_t nano_rho, std::int64_t n, std::uint32_t stream) {
  Rng rng(20261118, stream, Purpose::test);
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

/// Without noise to speak of the posterior is the one of someone who sees the records.
class WideComponentsPrior : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(InferWideComponents, WideComponentsPrior, ::testing::Values(kStated));
INSTANTIATE_TEST_SUITE_P(LongInferWideComponents, WideComponentsPrior, ::testing::Values(kHalfT));

TEST_P(WideComponentsPrior, IsConjugateWithoutNoise) {
  const model::Study one = study(9, false, "", GetParam());
  const Made all = made(one, 1'000'000'000'000'000, 400, 0);
  EXPECT_EQ(release::parse_document(release::to_document(all.release)).release_id, all.release.release_id);
  const Posterior posterior = inferred(all.release, 400);
  EXPECT_EQ(posterior.engine, "moments");
  const auto& model = one.model.get<model::WideComponents>();
  const auto& vectors = dynamic_cast<const model::SimulatedVectors&>(*all.records);
  Rng rng(20261118, 1, Purpose::test);
  constexpr std::size_t kDraws = 2000;
  const std::vector<model::VectorTheta> drawn =
      model::draw_after(model::wide_prior(model), vectors.sums(), kDraws, rng);
  for (const std::size_t q : {0u, 1u, 8u, 9u, 17u}) {
    double sum = 0;
    double squares = 0;
    for (const model::VectorTheta& theta : drawn) {
      const double value = model::component_values(model::wide_axes(model, one.schema, theta.covariance))[q];
      sum += value;
      squares += value * value;
    }
    const double mean = sum / kDraws;
    const double sd = std::sqrt(squares / kDraws - mean * mean);
    EXPECT_NEAR(posterior.summary[q].mean, mean, 0.3 * sd) << posterior.names[q];
    EXPECT_NEAR(posterior.summary[q].sd, sd, 0.25 * sd) << posterior.names[q];
  }
}

/// Intervals of shares and variances hold the truth as often as they say; those of `naive` do not.
double coverage(int columns, bool add_remove, std::int64_t nano_rho, std::int64_t n, std::uint32_t studies,
                EngineChoice engine, const char* prior = kStated) {
  double held = 0;
  double all = 0;
  for (std::uint32_t s = 0; s < studies; ++s) {
    const Made one = made(study(columns, add_remove, "", prior), nano_rho, n, 100 + s);
    const Posterior posterior = inferred(one.release, 300, engine);
    for (std::size_t q = 0; q < one.records->theta().size(); ++q) {
      const double truth = one.records->theta()[q];
      held += posterior.summary[q].q05 <= truth && truth <= posterior.summary[q].q95 ? 1 : 0;
      ++all;
    }
  }
  return held / all;
}

TEST(InferWideComponents, CoverTheTruth) {
  // 18 quantities a study, which are far from independent: a cluster's standard error is about 0.15.
  EXPECT_NEAR(coverage(9, false, 100'000'000, 2000, 9, EngineChoice::automatic), 0.9, 4 * 0.15 / 3);
  EXPECT_LT(coverage(9, false, 100'000'000, 2000, 9, EngineChoice::naive), 0.6);
}

TEST(LongInferWideComponents, CoverTheTruthUnderHalfT) {
  EXPECT_NEAR(coverage(9, false, 100'000'000'000, 2000, 6, EngineChoice::automatic, kHalfT), 0.9,
              4 * 0.15 / 2.4);
}

TEST(LongInferWideComponents, CoverTheTruth) {
  for (const bool add_remove : {false, true}) {
    EXPECT_NEAR(coverage(9, add_remove, 100'000'000, 2000, 200, EngineChoice::automatic), 0.9,
                0.01 + 4 * 0.011);
    EXPECT_NEAR(coverage(14, add_remove, 1'000'000'000, 2000, 60, EngineChoice::automatic), 0.9,
                0.01 + 4 * 0.02);
    EXPECT_NEAR(coverage(9, add_remove, 100'000'000'000, 2000, 200, EngineChoice::automatic, kHalfT), 0.9,
                0.01 + 4 * 0.011);
  }
  EXPECT_NEAR(coverage(30, false, 1'000'000'000, 5000, 12, EngineChoice::automatic), 0.9, 0.01 + 4 * 0.045);
}

TEST(InferWideComponents, RefuseWhatTheyAreNot) {
  const auto refused = [](const std::function<void()>& run, ErrorCode code) {
    try {
      run();
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
    }
  };
  refused([] { (void)study(31); }, ErrorCode::bad_value);
  refused([] { (void)study(9, false, "components = 10\n"); }, ErrorCode::bad_value);
  refused([] { (void)study(9, false, "of = \"cosines\"\n"); }, ErrorCode::bad_value);
  const Made one = made(study(9), 1'000'000'000, 100, 7);
  refused([&] { (void)inferred(one.release, 10, EngineChoice::augment); }, ErrorCode::engine_unsuitable);
}

/// Nothing that is released, and few records: the prior, and a word about the axes.
TEST(InferWideComponents, SayWhenNothingIsKnown) {
  const Posterior posterior = inferred(made(study(9), 100, 30, 8).release, 200);
  bool warned = false;
  for (const Warning& warning : posterior.warnings) warned = warned || warning.name == "axis-undetermined";
  EXPECT_TRUE(warned);
  for (const SummaryRow& row : posterior.summary) EXPECT_TRUE(std::isfinite(row.mean)) << row.name;
}

}  // namespace
}  // namespace postern::infer
