// Networks and Markov chains with a learned prior through the analyst's door.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/assess/simulate.hpp"
#include "postern/core/error.hpp"
#include "postern/infer/infer.hpp"
#include "postern/model/kinds/markov_net.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study_file.hpp"

namespace postern::infer {
namespace {

model::Study study(const std::string& model, bool add_remove) {
  return model::parse_study(
      "version = 2\nname = \"s\"\ndataset = \"d\"\n[privacy]\nunit = \"record\"\ncurrency = \"pure\"\n" +
          std::string(add_remove ? "adjacency = \"add-remove\"\nn = { at_most = 5000 }\n"
                                 : "adjacency = \"replace-one\"\n") +
          "[columns.a]\ncategories = [\"no\", \"yes\"]\n[columns.b]\ncategories = [\"x\", \"y\", \"z\"]\n"
          "[columns.c]\ninteger = [0, 9]\ncuts = [3, 6]\n[model]\n" +
          model,
      "s.toml");
}

const char* const kChain = "kind = \"bayes-net\"\nedges = [[\"a\", \"b\"], [\"b\", \"c\"]]\n";
const char* const kStar = "kind = \"naive-bayes\"\nclass = \"b\"\n";
const char* const kTree = "kind = \"markov-net\"\ncliques = [[\"a\", \"b\"], [\"b\", \"c\"]]\n";

release::Release simulated(const model::Study& study, std::uint32_t stream, std::int64_t n) {
  const model::NoisePlan plan =
      model::make_noise_plan(study, model::Mechanism::laplace, Spend{Currency::pure, 1'000'000'000});
  Rng rng(20261118, stream, Purpose::test);
  release::Release out = assess::simulate_study(study, plan, n, rng).release;
  out.release_id = out.ledger.record_set = std::string(32, static_cast<char>('a' + stream));
  return out;
}

InferOptions options_for(EngineChoice engine, std::size_t draws = 500) {
  InferOptions options;
  options.engine = engine;
  options.draws = draws;
  return options;
}

bool tells(const Posterior& posterior, const std::string& what) {
  return std::any_of(posterior.notes.begin(), posterior.notes.end(),
                     [&](const std::string& note) { return note.find(what) != std::string::npos; });
}

TEST(LearnedNetworkInfer, AnswersWithPublicAndPrivateRecords) {
  for (const char* model : {kChain, kStar, kTree}) {
    for (const bool add_remove : {false, true}) {
      SCOPED_TRACE(std::string(model) + (add_remove ? "private n" : "public n"));
      const std::vector<release::Release> releases{simulated(study(model, add_remove), 1, 2000)};
      const Posterior posterior = infer(releases, options_for(EngineChoice::automatic, 150), {});
      EXPECT_EQ(posterior.engine, "tables");
      EXPECT_TRUE(tells(posterior, "the prior is learned"));
      EXPECT_EQ(tells(posterior, "n comes from the released totals alone"), add_remove);
      EXPECT_EQ(posterior.cut, add_remove ? std::vector<std::string>{"n"} : std::vector<std::string>{});
      for (const SummaryRow& row : posterior.summary) {
        EXPECT_LE(row.q05, row.mean);
        EXPECT_GE(row.q95, row.mean);
      }
      if (add_remove) {
        EXPECT_NEAR(posterior.summary.back().mean, 2000, 100);
      }
    }
  }
}

TEST(LearnedNetworkInfer, RefusesTheExactEngineAndTakesNumbersAgain) {
  const std::vector<release::Release> releases{simulated(study(kStar, false), 2, 500)};
  EXPECT_THROW((void)infer(releases, options_for(EngineChoice::exact), {}), Error);
  InferOptions options = options_for(EngineChoice::automatic);
  options.prior = std::vector<Rational>(3 + 6 + 9, Rational(1, 2));
  EXPECT_EQ(infer(releases, options, {}).engine, "exact");
}

/// A decomposable Markov network is the Bayesian one that it is written as: the same chains, the same draws.
TEST(LearnedNetworkInfer, IsTheSameOfAMarkovNetworkAndItsBayesianOne) {
  const model::Study markov = study(kTree, false);
  std::vector<release::Release> releases{simulated(markov, 3, 800)};
  const Posterior one = infer(releases, options_for(EngineChoice::automatic, 100), {});
  releases.front().study.model = model::directed(markov.model.get<model::MarkovNet>());
  const Posterior other = infer(releases, options_for(EngineChoice::automatic, 100), {});
  ASSERT_EQ(one.draws.size(), other.draws.size());
  for (std::size_t c = 0; c < one.draws.size(); ++c) EXPECT_EQ(one.draws[c], other.draws[c]);
}

/// Where data are many and noise is small no prior matters.
TEST(LearnedNetworkInfer, AgreesWithADeclaredPriorWhereDataAreMany) {
  const model::Study learns = study(kChain, false);
  const model::NoisePlan plan =
      model::make_noise_plan(learns, model::Mechanism::laplace, Spend{Currency::pure, 20'000'000'000});
  Rng rng(20261118, 4, Purpose::test);
  const std::vector<release::Release> releases{assess::simulate_study(learns, plan, 20'000, rng).release};
  const Posterior learned = infer(releases, options_for(EngineChoice::automatic, 1000), {});
  InferOptions options = options_for(EngineChoice::tables, 1000);
  options.prior = std::vector<Rational>(2 + 6 + 9, Rational(1));
  const Posterior declared = infer(releases, options, {});
  for (std::size_t q = 0; q < learned.summary.size(); ++q)
    EXPECT_NEAR(learned.summary[q].mean, declared.summary[q].mean, 0.35 * declared.summary[q].sd + 1e-5) << q;
}

}  // namespace
}  // namespace postern::infer
