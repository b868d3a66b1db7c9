#include <cmath>

#include <gtest/gtest.h>

#include "postern/assess/simulate.hpp"
#include "postern/core/error.hpp"
#include "postern/infer/infer.hpp"
#include "postern/infer/query.hpp"
#include "postern/model/plan.hpp"

#include "vector_studies.hpp"

namespace postern::infer {
namespace {

/// Releases of a study made up from its prior, by the owner's own plan for epsilon 5.
release::Release simulated(model::Adjacency adjacency, const std::string& dataset, std::uint32_t stream) {
  model::Study study = model::vector_study({{-3, 4}, {0, 6}}, adjacency, Currency::pure);
  study.dataset = dataset;
  const model::NoisePlan plan =
      model::make_noise_plan(study, model::Mechanism::laplace, Spend{Currency::pure, 5'000'000'000});
  Rng rng(9, stream, Purpose::test);
  release::Release out = assess::simulate_study(study, plan, 60, rng).release;
  out.release_id = out.ledger.record_set = std::string(32, static_cast<char>('a' + stream));
  return out;
}

InferOptions quick(EngineChoice engine) {
  InferOptions options;
  options.engine = engine;
  options.chains = 2;
  options.draws = 100;
  return options;
}

ErrorCode refusal(const std::vector<release::Release>& releases, const InferOptions& options) {
  try {
    (void)infer(releases, options, {});
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::internal;
}

TEST(InferVector, NamesWhatItReports) {
  const std::vector<release::Release> releases{simulated(model::Adjacency::add_remove, "one", 0)};
  for (const EngineChoice engine : {EngineChoice::automatic, EngineChoice::naive}) {
    const Posterior posterior = infer(releases, quick(engine), {});
    EXPECT_EQ(posterior.names,
              (std::vector<std::string>{"mu.1", "mu.2", "Sigma.1.1", "Sigma.1.2", "Sigma.2.2", "n"}));
    EXPECT_EQ(posterior.labels[3], "covariance of a and b");
    EXPECT_EQ(posterior.engine, engine == EngineChoice::naive ? "naive" : "augment");
    ASSERT_EQ(posterior.summary.size(), 6U);
    for (const SummaryRow& row : posterior.summary) EXPECT_TRUE(std::isfinite(row.mean)) << row.name;
    EXPECT_GT(posterior.summary[2].q05, 0);
    EXPECT_NEAR(posterior.summary[5].q50, 60, 40);
  }
}

TEST(InferVector, PoolsDatasets) {
  const std::vector<release::Release> releases{simulated(model::Adjacency::replace_one, "one", 0),
                                               simulated(model::Adjacency::replace_one, "two", 1)};
  const Posterior posterior = infer(releases, quick(EngineChoice::augment), {});
  EXPECT_EQ(posterior.names.size(), 5U);
  EXPECT_EQ(posterior.reason.find("asked for"), 0U);
}

TEST(InferVector, RefusesOtherEnginesAndPriors) {
  const std::vector<release::Release> releases{simulated(model::Adjacency::replace_one, "one", 0)};
  EXPECT_EQ(refusal(releases, quick(EngineChoice::exact)), ErrorCode::engine_unsuitable);
  EXPECT_EQ(refusal(releases, quick(EngineChoice::gibbs)), ErrorCode::engine_unsuitable);
  InferOptions options = quick(EngineChoice::naive);
  options.prior = std::vector<Rational>{0, 0, 1, 5, 1, 2, 2, 1};  // not positive definite
  EXPECT_EQ(refusal(releases, options), ErrorCode::bad_prior);
  options.prior->pop_back();
  EXPECT_EQ(refusal(releases, options), ErrorCode::bad_prior);
  options = quick(EngineChoice::automatic);
  options.memory_limit = 1000;
  EXPECT_EQ(refusal(releases, options), ErrorCode::engine_limit);
  options = quick(EngineChoice::naive);
  options.public_rows = PublicCounts{{1, 2}};
  EXPECT_EQ(refusal(releases, options), ErrorCode::unsupported);
  EXPECT_THROW((void)parse_query("P(a = 1)", releases.front().study), Error);
}

}  // namespace
}  // namespace postern::infer
