// Releases made elsewhere through the analyst's door.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/analysis.hpp"
#include "postern/infer/infer.hpp"
#include "postern/infer/kinds/table/problem.hpp"
#include "postern/model/study_file.hpp"
#include "postern/release/document.hpp"
#include "postern/release/foreign.hpp"

#include "enumeration.hpp"

namespace postern::infer {
namespace {

const std::string kColumns =
    "[columns.a]\ncategories = [\"no\", \"yes\"]\n[columns.b]\ncategories = [\"x\", \"y\"]\n"
    "[columns.visits]\ninteger = [0, 4]\n[columns.age]\ninteger = [20, 24]\n";
const std::string kTable =
    "[model]\nkind = \"family\"\nfamily = \"categorical\"\ncolumns = [\"a\", \"b\"]\nprior = { dirichlet = 1 "
    "}\n";
const std::string kKnown = "[foreign]\nmade_by = \"a tool\"\nn = 12\n";

release::Release declared(const std::string& model, const std::string& rest, bool latent = false) {
  const std::string policy =
      latent ? "adjacency = \"add-remove\"\nn = { at_most = 15 }\n" : "adjacency = \"replace-one\"\n";
  model::ForeignRelease read = model::parse_foreign(
      "version = 1\nname = \"s\"\ndataset = \"d\"\n[privacy]\n" + policy + kColumns + model + rest, "f.toml");
  return release::foreign_release(std::move(read.study), std::move(read.foreign));
}

std::string block(const std::string& what) { return "[[foreign.measured]]\n" + what; }

Posterior answer(const release::Release& release, const char* engine = "auto", std::size_t draws = 500) {
  InferOptions options;
  options.draws = draws;
  return analyse(std::vector<release::Release>{release}, {engine, {}, {}, false}, options, {});
}

std::string refusal(const release::Release& release, const char* engine = "auto") {
  try {
    static_cast<void>(answer(release, engine, 10));
  } catch (const Error& error) {
    return std::string(error_name(error.code())) + ": " + error.what();
  }
  return "accepted";
}

TEST(InferForeign, TableIsThatOfTheDefinition) {
  const std::string values = block(
      "what = \"table\"\ncolumns = [\"a\", \"b\"]\nnoise = \"laplace\"\nscale = 1.5\nround_to = 2\n"
      "at_least = 0\nthreshold = 2\nvalues = [\"absent\", 4, 6, 2]\n");
  for (const bool latent : {false, true}) {
    const release::Release release =
        declared(kTable, (latent ? "[foreign]\nmade_by = \"a tool\"\n" : kKnown) + values, latent);
    CountProblem problem;
    problem.alpha.assign(4, 1.0);
    const release::Laplace law(1.5);
    for (const Band& band : {Band{-HUGE_VAL, 1}, Band{3, 5}, Band{5, 7}, Band{1, 3}})
      problem.noisy_values.push_back({NoisyValue{0, law, band}});
    problem.total = KnownTotal{12};
    if (latent) problem.total = LatentTotal{15};
    const Enumeration truth(problem);
    const Posterior exact = answer(release);
    EXPECT_EQ(exact.engine, "exact");
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(exact.summary[k].mean, truth.mean(k), 1e-10);
      EXPECT_NEAR(exact.summary[k].sd, truth.sd(k), 1e-10);
    }
  }
}

TEST(InferForeign, EveryAnswerSaysThatNobodyVerifiedTheNoise) {
  const release::Release release = declared(
      kTable, kKnown + block("what = \"table\"\ncolumns = [\"a\", \"b\"]\nnoise = \"gaussian\"\nscale "
                             "= 2\nvalues = [1.5, 4, 6, 2]\n"));
  for (const char* engine : {"exact", "gibbs", "naive"}) {
    const Posterior posterior = answer(release, engine);
    EXPECT_TRUE(std::any_of(posterior.warnings.begin(), posterior.warnings.end(), [](const Warning& warning) {
      return warning.name == "noise-not-verified" && warning.text.find("a tool") != std::string::npos;
    })) << engine;
    EXPECT_EQ(release::parse_any_document(posterior.documents.at(0)).release_id, release.release_id);
  }
}

TEST(InferForeign, WarnsWhereTheValuesContradictN) {
  const release::Release release = declared(
      kTable, kKnown + block("what = \"table\"\ncolumns = [\"a\", \"b\"]\nnoise = \"laplace\"\nscale "
                             "= 0.5\nvalues = [101.5, 4, 6, 2]\n"));
  const Posterior posterior = answer(release);
  EXPECT_TRUE(std::any_of(posterior.warnings.begin(), posterior.warnings.end(),
                          [](const Warning& warning) { return warning.name == "total-not-n"; }));
}

/// Poisson counts of 12 people, seen as their sum in the column's own units.
TEST(InferForeign, SumIsThatOfTheDefinition) {
  const std::string model =
      "[model]\nkind = \"family\"\nfamily = \"poisson\"\ncolumn = \"visits\"\nprior = { gamma = [2, 1] }\n";
  const std::string sum = "what = \"sum\"\ncolumn = \"visits\"\nnoise = \"gaussian\"\nscale = 2.5\n";
  const Posterior exact = answer(declared(model, kKnown + block(sum + "values = [20.75]\n")));
  EXPECT_EQ(exact.engine, "exact");
  // The same through rounding to a grid far finer than the noise, by latent records.
  const Posterior chains =
      answer(declared(model, kKnown + block(sum + "round_to = 0.01\nvalues = [20.75]\n")), "auto", 4000);
  EXPECT_EQ(chains.engine, "augment");
  EXPECT_NEAR(chains.summary[0].mean, exact.summary[0].mean,
              6 * exact.summary[0].sd / std::sqrt(*chains.summary[0].ess));
  EXPECT_EQ(refusal(declared(model, kKnown + block(sum + "round_to = 1\nvalues = [20]\n")), "exact")
                .find("engine-unsuitable: "),
            0u);
}

TEST(InferForeign, SumOfAColumnThatStartsAboveZeroNeedsN) {
  const std::string model =
      "[model]\nkind = \"family\"\nfamily = \"normal-mean\"\ncolumn = \"age\"\nvariance = "
      "4\nprior = { normal = [22, 9] }\n";
  const std::string sum =
      block("what = \"sum\"\ncolumn = \"age\"\nnoise = \"laplace\"\nscale = 1.25\nvalues = [263.2]\n");
  const Posterior known = answer(declared(model, kKnown + sum));
  EXPECT_GT(known.summary[0].mean, 20.5);  // 263.2 / 12 is 21.93
  EXPECT_LT(known.summary[0].mean, 23.5);
  const std::string latent = "[foreign]\nmade_by = \"a tool\"\n" + sum +
                             block("what = \"records\"\nnoise = \"laplace\"\nscale = 1\nvalues = [11.7]\n");
  EXPECT_NE(refusal(declared(model, latent, true)).find("whose range holds 0"), std::string::npos);
}

TEST(InferForeign, NetworksTakeFamilyTables) {
  const std::string model =
      "[model]\nkind = \"bayes-net\"\ncolumns = [\"a\", \"b\"]\nedges = [[\"a\", "
      "\"b\"]]\nprior = { dirichlet = 1 }\n";
  const std::string tables =
      block("what = \"table\"\ncolumns = [\"a\"]\nnoise = \"laplace\"\nscale = 1\nvalues = [5.5, 6.25]\n") +
      block(
          "what = \"table\"\ncolumns = [\"a\", \"b\"]\nnoise = \"laplace\"\nscale = 1\nthreshold = 2\n"
          "values = [\"absent\", 4.5, 3, 3.5]\n");
  const release::Release release = declared(model, kKnown + tables);
  const Posterior exact = answer(release, "exact");
  const Posterior chains = answer(release, "tables", 2000);
  for (std::size_t q = 0; q < exact.summary.size(); ++q) {
    EXPECT_NEAR(chains.summary[q].mean, exact.summary[q].mean,
                6 * exact.summary[q].sd / std::sqrt(*chains.summary[q].ess));
  }
}

/// A table over columns that are no family, in another order than the model's.
TEST(InferForeign, NetworksTakeOtherTables) {
  const std::string model =
      "[model]\nkind = \"bayes-net\"\ncolumns = [\"a\", \"b\"]\nedges = []\nprior = { dirichlet = 1 }\n";
  const std::string pair = block(
      "what = \"table\"\ncolumns = [\"b\", \"a\"]\nnoise = \"laplace\"\nscale = 1\n"
      "threshold = 1\nvalues = [5.5, 5.25, \"absent\", 1]\n");
  const Posterior posterior = answer(declared(model, kKnown + pair), "auto", 1000);
  EXPECT_EQ(posterior.engine, "tables");
  EXPECT_GT(posterior.summary[2].mean, 0.7);  // P(b = x), of about 11 in 12
}

TEST(InferForeign, RefusesWhatTheModelDoesNotMeasure) {
  const std::string one = "noise = \"laplace\"\nscale = 1\nvalues = [5.5, 6.25]\n";
  const std::string of_a = block("what = \"table\"\ncolumns = [\"a\"]\n" + one);
  EXPECT_EQ(refusal(declared(kTable, kKnown + of_a)).find("release-inconsistent: "), 0u);
  const std::string vector =
      "[model]\nkind = \"family\"\nfamily = \"multivariate-normal\"\ncolumns = [\"visits\", \"age\"]\nprior "
      "= "
      "{ normal-inverse-wishart = { mean = [2, 22], weight = 1, degrees = 4, scale = [[1, 0], [0, 1]] } }\n";
  const std::string sum =
      block("what = \"sum\"\ncolumn = \"visits\"\nnoise = \"laplace\"\nscale = 1\nvalues = [5.5]\n");
  EXPECT_EQ(refusal(declared(vector, kKnown + sum)).find("unsupported: "), 0u);
}

}  // namespace
}  // namespace postern::infer
