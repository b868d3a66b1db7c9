// prior = "learned" of multivariate normals and of principal components.

#include <string>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/core/rng.hpp"
#include "postern/model/kinds/principal_component.hpp"
#include "postern/model/kinds/wide_components.hpp"
#include "postern/model/prior_text.hpp"
#include "postern/model/study_file.hpp"

namespace postern::model {
namespace {

constexpr const char* kNormal = "kind = \"family\"\nfamily = \"multivariate-normal\"\n";
constexpr const char* kComponents = "kind = \"principal-component\"\n";

Study study_of(int version, int columns, const std::string& kind, const std::string& more = "") {
  std::string text = "version = " + std::to_string(version) +
                     "\nname = \"s\"\ndataset = \"d\"\n[privacy]\nadjacency = \"replace-one\"\n";
  std::string names;
  for (int c = 0; c < columns; ++c) {
    const std::string name = "c" + std::to_string(c);
    text +=
        "[columns." + name + "]\nreal = [\"0\", \"" + std::to_string(2 * (c + 1)) + "\"]\ngrid = \"0.1\"\n";
    names += (c == 0 ? "\"" : ", \"") + name + "\"";
  }
  return parse_study(text + "[model]\n" + kind + "columns = [" + names + "]\n" + more + "\n", "s.toml");
}

bool learns(const Study& study) { return study.model.kind().learned_prior(study.model); }
std::string written(const Model& model) { return to_canonical(model.kind().write(model)); }

TEST(LearnedNormalPrior, IsTheDefaultOfVersionTwo) {
  EXPECT_TRUE(learns(study_of(2, 2, kNormal)));
  EXPECT_TRUE(learns(study_of(2, 3, kComponents)));
  EXPECT_TRUE(learns(study_of(2, 9, kComponents)));
  EXPECT_FALSE(learns(study_of(1, 3, kComponents)));
  EXPECT_FALSE(learns(study_of(1, 9, kComponents)));
  for (const int columns : {3, 9}) {
    EXPECT_TRUE(learns(study_of(1, columns, kComponents, "prior = \"learned\"")));
    EXPECT_FALSE(learns(study_of(2, columns, kComponents, "prior = { half-t = { spread = \"0.5\" } }")));
  }
  EXPECT_TRUE(learns(study_of(1, 2, kNormal, "prior = \"learned\"")));
  EXPECT_FALSE(learns(study_of(2, 2, kNormal,
                               "prior = { normal-inverse-wishart = { mean = [1, 1], weight = 1, degrees = 5, "
                               "scale = [[1, 0], [0, 1]] } }")));
  EXPECT_THROW((void)study_of(1, 2, kNormal), Error);  // a study of version 1 has no default
}

TEST(LearnedNormalPrior, LeavesOneAxisByAChoiceAsItIs) {
  const Study study = study_of(2, 2, kComponents, "sigma = \"0.5\"\nangles = 12");
  EXPECT_EQ(study.model.kind().name(), "principal_axis");
  EXPECT_FALSE(learns(study));
  EXPECT_THROW((void)study_of(2, 2, kComponents, "sigma = \"0.5\"\nprior = \"learned\""), Error);
}

TEST(LearnedNormalPrior, IsWrittenByName) {
  for (const Study& study :
       {study_of(2, 2, kNormal), study_of(2, 3, kComponents), study_of(2, 9, kComponents)}) {
    EXPECT_NE(written(study.model).find("\"prior\":\"learned\""), std::string::npos);
    EXPECT_EQ(study.model.kind().prior_records(study.model), 0);
    EXPECT_TRUE(study.model.kind().notes(study.model).empty());
  }
  const Study study = study_of(2, 2, kNormal);
  EXPECT_EQ(study.model.kind().text(study.model, study.schema), "multivariate-normal: c0, c1, prior learned");
}

TEST(LearnedNormalPrior, GivesWayToNumbersAndComesBack) {
  for (const Study& study : {study_of(2, 3, kComponents), study_of(2, 9, kComponents)}) {
    const Kind& kind = study.model.kind();
    // The numbers of a half-t prior, as without a learned one.
    const Model stated = kind.with_prior(study.model, parse_prior("half-t 0.2 3 0.5", study));
    const Study old = study_of(1, static_cast<int>(kind.columns(study.model).size()), kComponents,
                               "prior = { half-t = { weight = \"0.2\", degrees = 3, spread = \"0.5\" } }");
    EXPECT_EQ(written(stated), written(old.model));
    EXPECT_FALSE(kind.learned_prior(stated));
    EXPECT_EQ(written(kind.with_learned_prior(stated)), written(study.model));
    EXPECT_FALSE(kind.learned_prior(kind.without_prior(study.model)));
  }
  const Study study = study_of(2, 2, kNormal);
  const Kind& kind = study.model.kind();
  const Model stated = kind.with_prior(study.model, parse_prior("1 1 1 5 1 0 0 1", study));
  EXPECT_FALSE(kind.learned_prior(stated));
  EXPECT_TRUE(kind.learned_prior(kind.with_learned_prior(stated)));
}

/// The half-t prior that a learned one gives way to has the numbers that a study's has.
TEST(LearnedNormalPrior, RestoresTheScaleOfAHalfTPrior) {
  const Study study = study_of(2, 3, kComponents);
  const Model stated = study.model.kind().with_prior(study.model, parse_prior("half-t 0.2 3 0.5", study));
  const Study old =
      study_of(1, 3, kComponents, "prior = { half-t = { weight = \"0.2\", degrees = 3, spread = \"0.5\" } }");
  const auto& back = stated.get<PrincipalComponent>().normal;
  const auto& own = old.model.get<PrincipalComponent>().normal;
  EXPECT_EQ(back.scale, own.scale);
  EXPECT_EQ(back.mean, own.mean);
  EXPECT_EQ(back.degrees, own.degrees);
  EXPECT_EQ(back.weight, own.weight);
  EXPECT_EQ(back.loose, own.loose);
}

/// The planning law puts records inside the bounds: sds are about a sixth of the range.
TEST(LearnedNormalPrior, IsPlannedForInsideTheBounds) {
  for (const Study& study :
       {study_of(2, 2, kNormal), study_of(2, 5, kComponents), study_of(2, 9, kComponents)}) {
    Rng rng(5, 0, Purpose::test);
    std::int64_t outside = 0;
    for (int i = 0; i < 20; ++i)
      outside += study.model.kind().simulate(study, 500, std::nullopt, rng)->outside();
    const double columns = static_cast<double>(study.model.kind().columns(study.model).size());
    EXPECT_LT(static_cast<double>(outside) / 10'000, 0.01 * columns);
    EXPECT_GT(outside, 0);
  }
  const auto law = wishart_prior(study_of(2, 2, kNormal).model.get<MultivariateNormal>());
  EXPECT_EQ(law.mean, (std::vector<double>{1, 2}));
  EXPECT_DOUBLE_EQ(law.scale[0] / (law.degrees - 3), 0.1);  // E Sigma_11, the half range being 1
  EXPECT_DOUBLE_EQ(law.scale[3] / (law.degrees - 3), 0.4);
}

}  // namespace
}  // namespace postern::model
