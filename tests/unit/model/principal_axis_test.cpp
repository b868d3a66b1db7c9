#include "postern/model/kinds/principal_axis.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/kinds/choice.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study_file.hpp"

namespace postern::model {
namespace {

Study parse(const std::string& model, const std::string& more = "adjacency = \"replace-one\"\n") {
  return parse_study(
      "version = 1\nname = \"s\"\ndataset = \"d\"\n[privacy]\n" + more +
          "[columns.a]\nreal = [\"-2\", \"2\"]\ngrid = \"0.5\"\n[columns.b]\nreal = "
          "[\"-2\", \"2\"]\ngrid = \"0.5\"\n[columns.c]\ncategories = [\"x\", \"y\"]\n[model]\nkind = "
          "\"principal-component\"\n" +
          model,
      "s.toml");
}

const std::string kAxis = "columns = [\"a\", \"b\"]\nsigma = \"0.5\"\n";

/// Every score against the density in doubles, centred and clamped.
TEST(PrincipalAxis, ScoresAreClampedLogDensities) {
  const Study study = parse(kAxis + "angles = 8\nradii = [\"0.5\", \"2\"]\npower = \"0.5\"\n");
  const auto& model = study.model.get<PrincipalAxis>();
  const ScoreTable table = axis_scores(model, study.schema);
  const auto points = axis_candidates(model);
  ASSERT_EQ(points.size(), 16u);
  EXPECT_EQ(table.candidates[9], "22.5 degrees, length 2");
  std::size_t clamped = 0;
  for (std::size_t cell = 0; cell < 81; ++cell) {
    const double x = -2 + 0.5 * static_cast<double>(cell / 9);
    const double y = -2 + 0.5 * static_cast<double>(cell % 9);
    std::vector<double> logs;
    for (const auto& z : points) {
      const double along = z[0].get_d() * x + z[1].get_d() * y;
      const double length2 = z[0].get_d() * z[0].get_d() + z[1].get_d() * z[1].get_d();
      logs.push_back(-0.5 * std::log(0.25 + length2) + along * along / (2 * 0.25 * (0.25 + length2)));
    }
    const auto [least, most] = std::minmax_element(logs.begin(), logs.end());
    for (std::size_t z = 0; z < points.size(); ++z) {
      const double ideal = 0.5 * (logs[z] - (*least + *most) / 2);
      clamped += std::abs(ideal) > 1 ? 1 : 0;
      EXPECT_NEAR(static_cast<double>(table.scores[z * 81 + cell]) / (1 << kScoreBits),
                  std::min(std::max(ideal, -1.0), 1.0), 1.01 / (1 << kScoreBits));
    }
  }
  EXPECT_GT(clamped, 0u);
}

TEST(PrincipalAxis, CostsItsBudgetUnderBothAdjacencies) {
  for (const char* more :
       {"adjacency = \"replace-one\"\n", "adjacency = \"add-remove\"\nn = { at_most = 90 }\n"}) {
    const Study study = parse(kAxis, more);
    const NoisePlan plan =
        make_noise_plan(study, Mechanism::exponential, Spend{Currency::pure, 1'000'000'000});
    EXPECT_EQ(cost(plan.measurement, study.schema, study.privacy), Rational(1));
  }
}

TEST(PrincipalAxis, HasDefaultsByItsColumns) {
  const Study study = parse(kAxis);
  const auto& model = study.model.get<PrincipalAxis>();
  EXPECT_EQ(model.variance, Rational(1));
  EXPECT_EQ(model.radii, (std::vector<Rational>{Rational(1, 2), 1, 2}));
  EXPECT_EQ(study.model.kind().parameters(study)[3].name, "variance.2");
}

TEST(PrincipalAxis, RefusesWhatItIsNot) {
  const auto refused = [](const std::string& model, ErrorCode code) {
    try {
      static_cast<void>(parse(model));
      ADD_FAILURE() << model;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
    }
  };
  refused("columns = [\"a\", \"b\", \"c\"]\nsigma = \"0.5\"\n", ErrorCode::bad_value);
  refused("columns = [\"a\", \"c\"]\nsigma = \"0.5\"\n", ErrorCode::bad_value);
  refused("columns = [\"a\", \"b\"]\nsigma = \"0.1\"\n", ErrorCode::bad_value);
  refused("columns = [\"a\", \"b\"]\nsigma = \"-1\"\n", ErrorCode::bad_value);
  refused(kAxis + "angles = 7\n", ErrorCode::bad_value);
  refused(kAxis + "angles = 360\nradii = [\"1\", \"2\"]\n", ErrorCode::bad_value);
  refused(kAxis + "radii = [\"1\", \"1\"]\n", ErrorCode::bad_value);
  refused(kAxis + "components = 2\n", ErrorCode::unknown_key);
}

}  // namespace
}  // namespace postern::model
