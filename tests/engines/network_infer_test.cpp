// Bayesian networks through the analyst's door: engines that agree, answers that listing every record gives.
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "postern/assess/calibrate.hpp"
#include "postern/assess/simulate.hpp"
#include "postern/assess/truth.hpp"
#include "postern/assess/width.hpp"
#include "postern/core/error.hpp"
#include "postern/infer/infer.hpp"
#include "postern/infer/public_rows.hpp"
#include "postern/infer/query.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study_file.hpp"

namespace postern::infer {
namespace {

model::Study study(const std::string& model, bool add_remove = false) {
  return model::parse_study(
      "version = 1\nname = \"s\"\ndataset = \"d\"\n[privacy]\nunit = \"record\"\ncurrency = \"pure\"\n" +
          std::string(add_remove ? "adjacency = \"add-remove\"\nn = { at_most = 60 }\n"
                                 : "adjacency = \"replace-one\"\n") +
          "[columns.a]\ncategories = [\"no\", \"yes\"]\n[columns.b]\ncategories = [\"x\", \"y\", \"z\"]\n"
          "[columns.c]\ninteger = [0, 9]\ncuts = [3, 6]\n[columns.e]\ncategories = [\"u\", "
          "\"v\"]\n[model]\n" +
          model,
      "s.toml");
}

const char* const kStar = "kind = \"naive-bayes\"\nclass = \"b\"\n";
const char* const kNet =
    "kind = \"bayes-net\"\nedges = [[\"a\", \"c\"], [\"b\", \"c\"], [\"c\", \"e\"], [\"a\", \"e\"]]\n";

release::Release simulated(const model::Study& study, std::int64_t nano_epsilon, std::uint32_t stream,
                           std::int64_t n = 40) {
  const model::NoisePlan plan =
      model::make_noise_plan(study, model::Mechanism::laplace, Spend{Currency::pure, nano_epsilon});
  Rng rng(20261118, stream, Purpose::test);
  release::Release out = assess::simulate_study(study, plan, n, rng).release;
  out.release_id = out.ledger.record_set = std::string(32, static_cast<char>('a' + stream));
  return out;
}

InferOptions options_for(EngineChoice engine, std::size_t draws) {
  InferOptions options;
  options.engine = engine;
  options.draws = draws;
  return options;
}

/// Exact and chains, of a star: means within six standard errors of the chains.
TEST(InferNetwork, EnginesAgreeOnAStar) {
  for (const bool add_remove : {false, true}) {
    const std::vector<release::Release> releases{simulated(study(kStar, add_remove), 3'000'000'000, 0)};
    const Posterior exact = infer(releases, options_for(EngineChoice::exact, 2000), {});
    const Posterior tables = infer(releases, options_for(EngineChoice::tables, 2000), {});
    EXPECT_EQ(infer(releases, options_for(EngineChoice::automatic, 10), {}).engine, "exact");
    ASSERT_EQ(exact.names, tables.names);
    EXPECT_EQ(exact.names.size(), 3U + 6 + 9 + 6 + (add_remove ? 1 : 0));
    EXPECT_EQ(exact.names[6], "cpt_2.1.1");
    EXPECT_EQ(exact.labels[1], "P(a = yes | b = x)");
    for (std::size_t q = 0; q < exact.names.size(); ++q) {
      const SummaryRow& row = tables.summary[q];
      const double error = row.sd / std::sqrt(row.ess.value_or(1));
      EXPECT_NEAR(row.mean, exact.summary[q].mean, 6 * error) << row.label;
      EXPECT_NEAR(row.sd, exact.summary[q].sd, 0.15 * row.sd) << row.label;
    }
  }
}

/// Every probability by listing all 36 records under the tables of a draw.
double listed(const Posterior& posterior, std::size_t draw, const std::function<bool(const int*)>& holds) {
  const auto cell = [&](std::size_t place) {
    return posterior.draws[0][place * posterior.iterations + draw];
  };
  double sum = 0;
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 3; ++b)
      for (int c = 0; c < 3; ++c)
        for (int e = 0; e < 2; ++e) {
          const int record[4] = {a, b, c, e};
          if (!holds(record)) continue;
          const int c_row = a * 3 + b;  // parents in the order of their edges
          const int e_row = c * 2 + a;
          sum += cell(a) * cell(2 + b) * cell(5 + c_row * 3 + c) * cell(5 + 18 + e_row * 2 + e);
        }
  return sum;
}

TEST(InferNetwork, AnswersQueriesAsListingEveryRecordDoes) {
  const model::Study net = study(kNet);
  Posterior posterior =
      infer(std::vector{simulated(net, 2'000'000'000, 1)}, options_for(EngineChoice::automatic, 50), {});
  EXPECT_EQ(posterior.engine, "tables");
  ASSERT_EQ(posterior.labels[5 + 18], "P(e = u | c = 0-2, a = no)");
  const auto expect = [&](const std::string& text, const std::function<bool(const int*)>& event,
                          const std::function<bool(const int*)>& given) {
    answer_query(parse_query(text, net), 1, net, posterior);
    for (std::size_t i = 0; i < posterior.iterations; ++i) {
      const double wanted = listed(posterior, i, event) / listed(posterior, i, given);
      const double found = posterior.draws[0][(posterior.names.size() - 1) * posterior.iterations + i];
      ASSERT_NEAR(found, wanted, 1e-12) << text;
    }
  };
  const auto all = [](const int*) { return true; };
  expect(
      "P(e = v)", [](const int* r) { return r[3] == 1; }, all);
  expect(
      "P(b in {x, z}, c >= 3)", [](const int* r) { return r[1] != 1 && r[2] >= 1; }, all);
  expect(
      "P(a = yes | e = v, c < 6)", [](const int* r) { return r[0] == 1 && r[3] == 1 && r[2] < 2; },
      [](const int* r) { return r[3] == 1 && r[2] < 2; });
  expect(
      "P(b != y | c in {0-2, 6-9}, e = u)", [](const int* r) { return r[1] != 1 && r[2] != 1 && r[3] == 0; },
      [](const int* r) { return r[2] != 1 && r[3] == 0; });
  expect(
      "P(a = yes, b = x, c = 3-5, e = u)",
      [](const int* r) { return r[0] == 1 && r[1] == 0 && r[2] == 1 && r[3] == 0; }, all);
  expect("P(c >= 0)", all, all);
}

TEST(InferNetwork, TakesPublicRowsAsRecordsOfThePrior) {
  const model::Study net = study(kNet);
  const std::vector<release::Release> releases{simulated(net, 1'000'000, 2)};  // noise without end
  std::vector<PublicColumn> rows(4);
  for (int i = 0; i < 900; ++i) {
    rows[0].emplace_back(i % 3 == 0 ? "yes" : "no");
    rows[1].emplace_back("y");
    rows[2].emplace_back("4");
    rows[3].emplace_back(i % 2 == 0 ? "u" : "v");
  }
  InferOptions options = options_for(EngineChoice::automatic, 200);
  options.public_rows = read_public_rows(rows, net);
  const Posterior posterior = infer(releases, options, {});
  EXPECT_NEAR(posterior.summary[1].mean, 1.0 / 3, 0.05);
  EXPECT_EQ(rows_taken(*options.public_rows), 900);
}

TEST(InferNetwork, RefusesWhatDoesNotSuit) {
  const auto refusal = [](const std::vector<release::Release>& releases, EngineChoice engine) {
    try {
      (void)infer(releases, options_for(engine, 10), {});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::vector<release::Release> net{simulated(study(kNet), 1'000'000'000, 3)};
  EXPECT_NE(refusal(net, EngineChoice::exact).find("take --engine auto, tables or naive"), std::string::npos);
  EXPECT_NE(refusal(net, EngineChoice::gibbs).find("take --engine"), std::string::npos);
  model::Study other = study(kNet);
  other.dataset = "other";
  const std::vector<release::Release> two{net.front(), simulated(other, 1'000'000'000, 4)};
  EXPECT_NE(refusal(two, EngineChoice::naive).find("take --engine auto or tables"), std::string::npos);
}

TEST(InferNetwork, ForecastsWidthsAndReadsTruths) {
  const model::Study net = study(kNet);
  const std::vector<double> truth = assess::parse_truth("P(a = yes) 0.2, cpt_2.1.3 0.5", net);
  EXPECT_DOUBLE_EQ(truth[0], 0.8);
  EXPECT_DOUBLE_EQ(truth[2], 0.25);
  EXPECT_DOUBLE_EQ(truth[5], 1.0 / 3);
  EXPECT_THROW((void)assess::parse_truth("P(a = yes) 0.2, P(a = no) 0.9", net), Error);
  EXPECT_THROW((void)assess::parse_truth("P(q = yes) 0.2", net), Error);
  const model::NoisePlan plan =
      model::make_noise_plan(net, model::Mechanism::laplace, Spend{Currency::pure, 5'000'000'000});
  assess::WidthOptions options;
  options.n = 200;
  options.draws = 6;
  options.at = truth;
  const assess::ExpectedWidth width = assess::expected_width(net, plan, options, {});
  ASSERT_EQ(width.rows.size(), 35U);
  for (const assess::WidthRow& row : width.rows) {
    EXPECT_GT(row.median, 0.9 * row.without_noise) << row.label;
    EXPECT_LT(row.median, 1.05 * row.prior) << row.label;
  }
  EXPECT_GT(assess::posterior_bytes(net, plan, 200), 1000);
  EXPECT_GT(assess::posterior_bytes(study(kStar),
                                    model::make_noise_plan(study(kStar), model::Mechanism::laplace,
                                                           Spend{Currency::pure, 5'000'000'000}),
                                    200),
            1000);
}

/// Ranks of the truth are uniform: 300 studies, a false alarm once in a million tests.
TEST(InferNetwork, IsCalibrated) {
  for (const char* model : {kStar, kNet}) {
    for (const bool add_remove : {false, true}) {
      const model::Study of = study(model, add_remove);
      const model::NoisePlan plan =
          model::make_noise_plan(of, model::Mechanism::laplace, Spend{Currency::pure, 4'000'000'000});
      assess::CalibrateOptions options;
      options.studies = 300;
      options.draws = 19;
      options.seed = 7;
      if (!add_remove) options.n = 30;
      EXPECT_TRUE(assess::calibrate(of, plan, options, {}).passed()) << model << add_remove;
    }
  }
}

}  // namespace
}  // namespace postern::infer
