#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/kinds/multivariate_normal.hpp"
#include "postern/model/prior_text.hpp"

#include "study_faults.hpp"

// family = "multivariate-normal" in study files and on the command line.

namespace postern::model {
namespace {

constexpr const char kStudy[] = R"(version = 1
name    = "bodies"
dataset = "clinic"
[privacy]
adjacency = "add-remove"
currency  = "zcdp"
n = { at_most = 5000 }
[columns.height]
real = ["100", "220"]
grid = "0.5"
[columns.weight]
integer = [30, 200]
missing = "70"
[columns.sex]
categories = ["f", "m"]
[model]
kind    = "family"
family  = "multivariate-normal"
columns = ["height", "weight"]
prior   = { normal-inverse-wishart = { mean = [170, "72.5"], weight = 1, degrees = 4, scale = [[300, 100], [100, "350.5"]] } }
)";

TEST(VectorStudy, ReadsEveryPart) {
  const Study study = parse_study(kStudy, "study.toml");
  const auto& model = study.model.get<MultivariateNormal>();
  EXPECT_EQ(model.columns, (std::vector<std::string>{"height", "weight"}));
  EXPECT_EQ(model.mean, (std::vector<Rational>{170, Rational(145, 2)}));
  EXPECT_EQ(model.weight, 1);
  EXPECT_EQ(model.degrees, 4);
  EXPECT_EQ(model.scale, (std::vector<Rational>{300, 100, 100, Rational(701, 2)}));
  EXPECT_EQ(columns_of(study.model), model.columns);
  EXPECT_EQ(study.model.kind().family(study.model), "multivariate-normal");
}

TEST(VectorStudy, RefusesWithAReason) {
  const StudyFault faults[] = {
      {"[\"height\", \"weight\"]", "[\"height\"]", ErrorCode::bad_value, "needs exactly 1"},
      {"[\"height\", \"weight\"]", "[\"height\", \"height\"]", ErrorCode::bad_value, "twice"},
      {"[\"height\", \"weight\"]", "[\"height\", \"sex\"]", ErrorCode::bad_value, "without cuts"},
      {"[\"height\", \"weight\"]", "[\"height\", \"weights\"]", ErrorCode::unknown_column, "weight"},
      {"grid = \"0.5\"", "grid = \"0.5\"\ncuts = [\"150\"]", ErrorCode::bad_value, "without cuts"},
      {"grid = \"0.5\"", "grid = \"0.5\"\noutside = \"drop\"", ErrorCode::bad_value, "clamp"},
      {"integer = [30, 200]\nmissing = \"70\"", "integer = [30, 30]", ErrorCode::bad_value,
       "one number only"},
      {"mean = [170, \"72.5\"]", "mean = [170]", ErrorCode::bad_value, "exactly 2"},
      {"mean = [170, \"72.5\"]", "mean = [170, 2000000000000]", ErrorCode::bad_prior, "mean"},
      {"weight = 1,", "weight = 0,", ErrorCode::bad_prior, "prior parameter"},
      {"weight = 1,", "weight = 0.5,", ErrorCode::bare_float, "quotes"},
      {"degrees = 4", "degrees = 1", ErrorCode::bad_prior, "above 1"},
      {"degrees = 4,", "", ErrorCode::missing_key, "degrees"},
      {"degrees = 4", "degree = 4", ErrorCode::unknown_key, "degrees"},
      {"[[300, 100], [100, \"350.5\"]]", "[[300, 100]]", ErrorCode::bad_value, "exactly 2"},
      {"[[300, 100], [100, \"350.5\"]]", "[[300, 100], [100]]", ErrorCode::wrong_type, "2 lists of 2"},
      {"[[300, 100], [100, \"350.5\"]]", "[300, 100]", ErrorCode::wrong_type, "2 lists of 2"},
      {"[[300, 100], [100, \"350.5\"]]", "[[300, 100], [99, 350]]", ErrorCode::bad_prior, "symmetric"},
      {"[[300, 100], [100, \"350.5\"]]", "[[300, 300], [300, 300]]", ErrorCode::bad_prior, "definite"},
      {"[[300, 100], [100, \"350.5\"]]", "[[300, -400], [-400, 300]]", ErrorCode::bad_prior, "definite"},
      {"[[300, 100], [100, \"350.5\"]]", "[[-300, 100], [100, 350]]", ErrorCode::bad_prior, "parameter"},
      {"normal-inverse-wishart", "normal-inverse-gamma", ErrorCode::unknown_key, "normal-inverse-wishart"},
      {"prior   =", "# prior =", ErrorCode::missing_key, "normal-inverse-wishart"},
  };
  expect_refused(kStudy, faults);
}

// Three by three: a matrix whose two-by-two corners are definite and which is not.
TEST(VectorStudy, LooksAtEveryPivot) {
  Study study = parse_study(kStudy, "study.toml");
  study.schema =
      Schema({{"x", IntegerRange{0, 9, {}}}, {"y", IntegerRange{0, 9, {}}}, {"z", IntegerRange{0, 9, {}}}});
  const auto with_scale = [](std::vector<Rational> scale) {
    return MultivariateNormal{{"x", "y", "z"}, {0, 0, 0}, 1, 3, std::move(scale)};
  };
  const Kind& kind = study.model.kind();
  kind.check(with_scale({2, -1, 0, -1, 2, -1, 0, -1, 2}), study.schema);
  EXPECT_THROW(kind.check(with_scale({4, 3, -3, 3, 4, 3, -3, 3, 4}), study.schema), Error);
}

TEST(VectorStudy, ReadsAPriorInWords) {
  const Study study = parse_study(kStudy, "study.toml");
  const auto numbers = parse_prior("normal-inverse-wishart 160, 60, 2, 5, [[9, 1], [1, 16]]", study);
  const MultivariateNormal stated = with_prior(study.model.get<MultivariateNormal>(), numbers);
  EXPECT_EQ(stated.mean, (std::vector<Rational>{160, 60}));
  EXPECT_EQ(stated.weight, 2);
  EXPECT_EQ(stated.degrees, 5);
  EXPECT_EQ(stated.scale, (std::vector<Rational>{9, 1, 1, 16}));
  EXPECT_THROW(static_cast<void>(parse_prior("160 60 2 5 9 1 1", study)), Error);
  EXPECT_THROW(static_cast<void>(parse_prior("160 60 2 5 1 9 9 1", study)), Error);
  EXPECT_THROW(static_cast<void>(parse_prior("160 60 2 1 9 1 1 16", study)), Error);
}

TEST(VectorStudy, NamesItsParameters) {
  const auto parameters = vector_parameters(parse_study(kStudy, "s").model.get<MultivariateNormal>());
  std::string names;
  for (const Parameter& parameter : parameters) names += parameter.name + "=" + parameter.label + ";";
  EXPECT_EQ(names,
            "mu.1=mean of height;mu.2=mean of weight;Sigma.1.1=variance of height;"
            "Sigma.1.2=covariance of height and weight;Sigma.2.2=variance of weight;");
  EXPECT_EQ(parameter_values({{1, 2}, {3, 4, 4, 5}, {}}), (std::vector<double>{1, 2, 3, 4, 5}));
}

TEST(VectorFamily, ParametersComeBackFromTheirValues) {
  const std::vector<double> values{1, 2, 3, 9, 1, 2, 4, -1, 5};  // means, then the upper triangle
  const VectorTheta theta = vector_theta(values, 3);
  EXPECT_EQ(parameter_values(theta), values);
  EXPECT_EQ(theta.covariance, (std::vector<double>{9, 1, 2, 1, 4, -1, 2, -1, 5}));
  EXPECT_EQ(theta.root, cholesky(theta.covariance, 3));
  EXPECT_FALSE(theta.root.empty());
  EXPECT_TRUE(vector_theta({0, 0, 1, 2, 1}, 2).root.empty());  // no law has a correlation of 2
}

}  // namespace
}  // namespace postern::model
