#include "postern/model/kinds/principal_component.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study_file.hpp"

namespace postern::model {
namespace {

const std::string kHead =
    "version = 1\nname = \"s\"\ndataset = \"d\"\n[privacy]\nadjacency = \"replace-one\"\n"
    "[columns.a]\ninteger = [-8, 8]\n[columns.b]\nreal = [\"0\", \"4\"]\ngrid = \"0.5\"\n[columns.c]\n"
    "categories = [\"x\", \"y\"]\n[model]\nkind = \"principal-component\"\n";

Study parse(const std::string& model) { return parse_study(kHead + model, "s.toml"); }

TEST(PrincipalAxes, AreTheEigensystem) {
  Rng rng(1, 0, Purpose::test);
  for (std::size_t d = 2; d <= 8; ++d) {
    std::vector<double> root(d * d);
    for (double& entry : root) entry = draw_normal(rng);
    std::vector<double> matrix(d * d, 0.0);
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t k = 0; k < d; ++k) matrix[i * d + j] += root[i * d + k] * root[j * d + k];
      }
    }
    const PrincipalAxes axes = principal_axes(matrix, d);
    for (std::size_t k = 0; k < d; ++k) {
      if (k > 0) {
        EXPECT_LE(axes.variances[k], axes.variances[k - 1]);
      }
      double length = 0;
      for (std::size_t i = 0; i < d; ++i) {
        double image = 0;
        for (std::size_t j = 0; j < d; ++j) image += matrix[i * d + j] * axes.axes[k * d + j];
        EXPECT_NEAR(image, axes.variances[k] * axes.axes[k * d + i], 1e-12 * axes.variances[0]);
        length += axes.axes[k * d + i] * axes.axes[k * d + i];
      }
      EXPECT_NEAR(length, 1, 1e-13);
    }
  }
}

TEST(PrincipalAxes, OfCorrelationsDoNotDependOnUnits) {
  PrincipalComponent model;
  model.normal.columns = {"a", "b"};
  model.correlation = true;
  const PrincipalAxes small = principal_axes(model, {1, 0.5, 0.5, 1});
  const PrincipalAxes large = principal_axes(model, {1, 500, 500, 1e6});
  EXPECT_NEAR(small.variances[0], 1.5, 1e-14);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(large.variances[k], small.variances[k], 1e-12);
  const std::vector<double> values = component_values(small);
  EXPECT_NEAR(values[0], 0.75, 1e-14);
  EXPECT_NEAR(values[0] + values[1], 1, 1e-14);
  EXPECT_NEAR(values[2], 1.5, 1e-14);
}

TEST(PrincipalComponentStudy, HasAPriorByItsBounds) {
  const Study study = parse("columns = [\"a\", \"b\"]\n");
  const auto& model = study.model.get<PrincipalComponent>();
  EXPECT_EQ(model.components, 2u);
  EXPECT_FALSE(model.correlation);
  EXPECT_EQ(model.normal.mean, (std::vector<Rational>{0, 2}));
  EXPECT_EQ(model.normal.scale, (std::vector<Rational>{8, 0, 0, Rational(1, 2)}));  // 2 (sixteenth of 8^2)
  EXPECT_EQ(model.normal.degrees, 3);
  EXPECT_TRUE(model.normal.loose);
  const std::vector<Parameter> parameters = study.model.kind().parameters(study);
  ASSERT_EQ(parameters.size(), 4u);
  EXPECT_EQ(parameters[0].name, "share.1");
  EXPECT_EQ(parameters[3].name, "variance.2");
}

TEST(PrincipalComponentStudy, TakesAnotherHalfT) {
  const Study study =
      parse("columns = [\"a\", \"b\"]\nprior = { half-t = { degrees = 3, spread = \"0.5\" } }\n");
  const auto& model = study.model.get<PrincipalComponent>();
  EXPECT_EQ(model.normal.scale, (std::vector<Rational>{48, 0, 0, 3}));
  EXPECT_EQ(model.normal.degrees, 4);
  const Kind& kind = study.model.kind();
  EXPECT_EQ(kind.prior_words(study.model).name, "half-t");
  const Model usual = kind.with_prior(study.model, {Rational(1, 10), 2, Rational(1, 4)});
  const Study other = parse("columns = [\"a\", \"b\"]\n");
  EXPECT_EQ(usual.get<PrincipalComponent>().normal.scale, other.model.get<PrincipalComponent>().normal.scale);
  EXPECT_EQ(to_canonical(kind.write(usual)), to_canonical(kind.write(other.model)));
  // Releases of one study are told apart by more than what was believed beforehand.
  const Study stated = parse(
      "columns = [\"a\", \"b\"]\nprior = { normal-inverse-wishart = { mean = [0, 0], weight = 1, degrees = "
      "4, "
      "scale = [[1, 0], [0, 1]] } }\n");
  EXPECT_EQ(to_canonical(kind.write(kind.without_prior(study.model))),
            to_canonical(kind.write(kind.without_prior(stated.model))));
}

/// What is released, and so what it costs, is what a multivariate normal of the same columns releases.
TEST(PrincipalComponentStudy, MeasuresAMultivariateNormal) {
  const Study study = parse("columns = [\"a\", \"b\"]\nof = \"correlation\"\ncomponents = 1\n");
  Study normal = study;
  normal.model = study.model.get<PrincipalComponent>().normal;
  const Spend budget{Currency::pure, 1'000'000'000};
  const NoisePlan own = make_noise_plan(study, Mechanism::laplace, budget);
  const NoisePlan theirs = make_noise_plan(normal, Mechanism::laplace, budget);
  ASSERT_EQ(own.measurement.blocks.size(), theirs.measurement.blocks.size());
  for (std::size_t b = 0; b < own.measurement.blocks.size(); ++b)
    EXPECT_EQ(own.measurement.blocks[b].noise.parameter, theirs.measurement.blocks[b].noise.parameter);
  EXPECT_EQ(cost(own.measurement, study.schema, study.privacy),
            cost(theirs.measurement, study.schema, study.privacy));
}

TEST(PrincipalComponentStudy, RefusesWhatItIsNot) {
  const auto refused = [](const std::string& model, ErrorCode code) {
    try {
      static_cast<void>(parse(model));
      ADD_FAILURE() << model;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
    }
  };
  refused("columns = [\"a\"]\n", ErrorCode::bad_value);
  refused("columns = [\"a\", \"c\"]\n", ErrorCode::bad_value);
  refused("columns = [\"a\", \"b\"]\ncomponents = 3\n", ErrorCode::bad_value);
  refused("columns = [\"a\", \"b\"]\nof = \"cosines\"\n", ErrorCode::bad_value);
  refused("columns = [\"a\", \"b\"]\nscaled = true\n", ErrorCode::unknown_key);
  const auto half_t = [](const std::string& what) {
    return "columns = [\"a\", \"b\"]\nprior = { half-t = { " + what + " } }\n";
  };
  refused(half_t("degrees = \"0.5\""), ErrorCode::bad_prior);
  refused(half_t("spread = \"0.001\""), ErrorCode::bad_prior);
  refused(half_t("weight = 0"), ErrorCode::bad_prior);
  refused(half_t("scale = 1"), ErrorCode::unknown_key);
}

}  // namespace
}  // namespace postern::model
