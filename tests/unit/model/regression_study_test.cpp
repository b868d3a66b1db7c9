#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/kinds/linear_regression.hpp"
#include "postern/model/plan.hpp"

#include "study_faults.hpp"

// kind = "linear-regression" in study files.

namespace postern::model {
namespace {

constexpr const char kStudy[] = R"(version = 1
name    = "hours"
dataset = "census"
[privacy]
adjacency = "add-remove"
n = { at_most = 50000 }
[columns.age]
integer = [17, 90]
[columns.work]
categories = ["private", "public", "self"]
[columns.wage]
real = ["0", "100"]
grid = "0.5"
[columns.hours]
integer = [1, 99]
[model]
kind     = "linear-regression"
target   = "hours"
features = ["age", "work"]
)";

const LinearRegression& model_of(const Study& study) { return study.model.get<LinearRegression>(); }

TEST(RegressionStudy, HasDefaults) {
  const Study study = parse_study(kStudy, "study.toml");
  const LinearRegression& model = model_of(study);
  EXPECT_EQ(model.target, "hours");
  EXPECT_EQ(model.features, (std::vector<std::string>{"age", "work"}));
  EXPECT_TRUE(model.feature_products);
  EXPECT_EQ(model.steps, 1024);
  EXPECT_EQ(model.prior.slopes, Rational(3, 5));  // 2 x 3 entries x 0.1
  EXPECT_EQ(model.prior.mean_weight, Rational(1, 100));
  EXPECT_EQ(columns_of(study.model), (std::vector<std::string>{"age", "work", "hours"}));
}

TEST(RegressionStudy, ReadsEveryPart) {
  const Study all = parse_study(edited(kStudy, "features = [\"age\", \"work\"]", ""), "study.toml");
  EXPECT_EQ(model_of(all).features, (std::vector<std::string>{"age", "work", "wage"}));
  const Study study = parse_study(
      edited(kStudy, "features = [\"age\", \"work\"]",
             "features = [\"wage\"]\nfeature_products = false\nsteps = 64\n"
             "prior = { regression = { spread = \"0.2\", shape = 3, rate = \"0.3\", intercept = 1, "
             "mean_weight = 2 } }"),
      "study.toml");
  const LinearRegression& model = model_of(study);
  EXPECT_FALSE(model.feature_products);
  EXPECT_EQ(model.steps, 64);
  EXPECT_EQ(model.prior.slopes, Rational(2, 5));
  EXPECT_EQ(model.prior.shape, 3);
  EXPECT_EQ(model.prior.rate, Rational(3, 10));
  EXPECT_EQ(model.prior.intercept, 1);
  EXPECT_EQ(model.prior.mean_weight, 2);
}

TEST(RegressionStudy, RefusesWithAReason) {
  const StudyFault faults[] = {
      {"\"age\", \"work\"", "\"age\", \"hours\"", ErrorCode::bad_value, "leave it out of `features`"},
      {"\"age\", \"work\"", "\"age\", \"age\"", ErrorCode::bad_value, "twice"},
      {"\"age\", \"work\"", "", ErrorCode::bad_value, "at least one"},
      {"\"age\", \"work\"", "\"ages\"", ErrorCode::unknown_column, "age"},
      {"target   = \"hours\"", "target = \"work\"", ErrorCode::bad_value, "among the features"},
      {"target   = \"hours\"\nfeatures = [\"age\", \"work\"]", "target = \"work\"", ErrorCode::bad_value,
       "naive-bayes"},
      {"target   = \"hours\"", "", ErrorCode::missing_key, "target"},
      {"target   = \"hours\"", "target = \"hour\"", ErrorCode::unknown_column, "hours"},
      {"integer = [1, 99]", "integer = [1, 99]\ncuts = [40]", ErrorCode::bad_value, "cuts"},
      {"integer = [1, 99]", "integer = [1, 1]", ErrorCode::bad_value, "one value only"},
      {"integer = [1, 99]", "integer = [1, 99]\noutside = \"drop\"", ErrorCode::bad_value, "clamp"},
      {"integer = [17, 90]", "integer = [17, 90]\noutside = \"drop\"", ErrorCode::bad_value, "clamp"},
      {"kind     =", "steps = 3\nkind     =", ErrorCode::bad_value, "even"},
      {"kind     =", "steps = 100000\nkind     =", ErrorCode::bad_value, "16384"},
      {"kind     =", "family = \"normal\"\nkind     =", ErrorCode::unknown_key, "family"},
      {"kind     =", "prior = { regression = { slopes = 0 } }\nkind     =", ErrorCode::bad_prior,
       "prior parameter"},
      {"kind     =", "prior = { regression = { slope = 1 } }\nkind     =", ErrorCode::unknown_key, "slopes"},
      {"kind     =", "prior = { gamma = [1, 1] }\nkind     =", ErrorCode::unknown_key, "regression"},
  };
  expect_refused(kStudy, faults);
}

TEST(RegressionStudy, RefusesMoreThanThirtyFeatures) {
  std::string text = kStudy;
  const std::string more = "[columns.x";
  std::string columns;
  for (int i = 0; i < 29; ++i) columns += more + std::to_string(i) + "]\ninteger = [0, 9]\n";
  const std::size_t at = text.find("[model]");
  text.insert(at, columns);
  text.erase(text.find("features"));
  try {
    static_cast<void>(parse_study(text, "study.toml"));
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_value);
    EXPECT_NE(std::string(error.what()).find("between 1 and 30 features"), std::string::npos) << error.what();
  }
}

TEST(RegressionStudy, SharesGoByTheNamesOfParts) {
  const Study study = parse_study(kStudy, "study.toml");
  const Spend one = Spend::parse(Currency::pure, "1");
  const NoisePlan usual = make_noise_plan(study, Mechanism::laplace, one);
  const NoisePlan shared =
      make_noise_plan(study, Request{Mechanism::laplace, {{"xy", 3}, {"count", 2}}}, one);
  EXPECT_EQ(shared.cost.exact(), 1);
  EXPECT_EQ(shared.measurement.blocks[6].noise.parameter / shared.measurement.blocks[1].noise.parameter,
            3 * usual.measurement.blocks[6].noise.parameter / usual.measurement.blocks[1].noise.parameter);
  EXPECT_THROW(static_cast<void>(make_noise_plan(study, Request{Mechanism::laplace, {{"age", 3}}}, one)),
               Error);
}

}  // namespace
}  // namespace postern::model
