#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/kinds/generalised_linear.hpp"
#include "postern/model/kinds/logistic_regression.hpp"
#include "postern/model/plan.hpp"

#include "study_faults.hpp"

// kind = "logistic-regression" without rounds, and kind = "poisson-regression", in study files.

namespace postern::model {
namespace {

constexpr const char kStudy[] = R"(version = 1
name    = "visits"
dataset = "clinic"
[privacy]
adjacency = "add-remove"
n = { at_most = 50000 }
[columns.age]
integer = [20, 80]
[columns.work]
categories = ["none", "part", "full"]
[columns.ill]
categories = ["no", "yes"]
[columns.visits]
integer = [0, 30]
[model]
kind     = "poisson-regression"
target   = "visits"
features = ["age", "work"]
)";

std::string logistic(const std::string& more) {
  return edited(kStudy, "kind     = \"poisson-regression\"\ntarget   = \"visits\"",
                "kind = \"logistic-regression\"\ntarget = \"ill\"\n" + more);
}

TEST(GlmStudy, HasDefaults) {
  const Study counts = parse_study(kStudy, "study.toml");
  const auto& model = counts.model.get<GeneralisedLinear>();
  EXPECT_EQ(model.family, GlmFamily::poisson);
  EXPECT_TRUE(model.feature_products);
  EXPECT_EQ(model.prior_sd, 1);
  EXPECT_EQ(glm_most(model, counts.schema), 30);
  EXPECT_EQ(glm_entries(model, counts.schema).size(), 4);
  EXPECT_EQ(counts.model.kind().parameters(counts).back().label, "effect of work = full");
  const Study odds = parse_study(logistic(""), "study.toml");
  EXPECT_EQ(odds.model.get<GeneralisedLinear>().family, GlmFamily::logistic);
  EXPECT_EQ(odds.model.get<GeneralisedLinear>().prior_sd, Rational(5, 2));
}

// Sums of products once, unless the study speaks of rounds.
TEST(GlmStudy, AStudyOfRoundsMeasuresGradients) {
  const Study once = parse_study(logistic(""), "study.toml");
  EXPECT_EQ(default_mechanism(once), Mechanism::laplace);
  const Study rounds =
      parse_study(logistic("expected_records = 500\ncovariates = \"uniform\"\n"), "study.toml");
  EXPECT_EQ(default_mechanism(rounds), Mechanism::gradient);
  EXPECT_NE(rounds.model.as<LogisticRegression>(), nullptr);
}

TEST(GlmStudy, CoefficientsGoThereAndBack) {
  const Study study = parse_study(kStudy, "study.toml");
  const auto& model = study.model.get<GeneralisedLinear>();
  const std::vector<double> scaled{0.5, -1, 0.25, 2};
  const std::vector<double> natural = natural_coefficients(scaled, model, study.schema);
  EXPECT_NEAR(natural[1], -1 / 30.0, 1e-12);
  EXPECT_NEAR(natural[0], 0.5 + 50 / 30.0, 1e-12);
  const std::vector<double> back = scaled_coefficients(natural, model, study.schema);
  for (std::size_t i = 0; i < scaled.size(); ++i) EXPECT_NEAR(back[i], scaled[i], 1e-12);
}

TEST(GlmStudy, SimulatesWhatItIsTold) {
  const Study study = parse_study(kStudy, "study.toml");
  Rng rng(1, 0, Purpose::test);
  const auto made = study.model.kind().simulate(study, 4000, std::vector<double>{1, 0, 0, 0}, rng);
  double sum = 0;
  made->for_each([&](std::span<const std::uint32_t> record, std::int64_t count) {
    sum += static_cast<double>(record.back()) * static_cast<double>(count);
  });
  EXPECT_NEAR(sum / 4000, std::exp(1.0), 0.15);
}

TEST(GlmStudy, RefusesWithAReason) {
  const StudyFault faults[] = {
      {"target   = \"visits\"", "target = \"ill\"", ErrorCode::bad_value, "integer = [0, "},
      {"integer = [0, 30]", "integer = [1, 30]", ErrorCode::bad_value, "integer = [0, "},
      {"integer = [0, 30]", "integer = [0, 30]\noutside = \"drop\"", ErrorCode::bad_value, "clamp"},
      {"target   = \"visits\"", "", ErrorCode::missing_key, "target"},
      {"\"age\", \"work\"", "\"age\", \"visits\"", ErrorCode::bad_value, "twice"},
      {"kind     = \"poisson-regression\"\ntarget   = \"visits\"",
       "kind = \"logistic-regression\"\ntarget = \"visits\"", ErrorCode::bad_value, "two levels"},
      {"kind     =", "prior = { normal = 0 }\nkind     =", ErrorCode::bad_prior, "0.001..1000"},
      {"kind     =", "prior = { gamma = 1 }\nkind     =", ErrorCode::unknown_key, "normal"},
      {"kind     =", "rounds = 2\nkind     =", ErrorCode::unknown_key, "rounds"},
  };
  expect_refused(kStudy, faults);
}

}  // namespace
}  // namespace postern::model
