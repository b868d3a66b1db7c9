#include "postern/model/kinds/covariates.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

#include "logistic_studies.hpp"

// What a study assumes of the features of a regression: masses of levels, and what cannot be.

namespace postern::model {
namespace {

using Shape = ColumnLaw::Shape;

/// A number of 0..40 and a category of three levels.
Study study_of(const Covariates& covariates) {
  Study study = logistic_study({.numbers = 1, .category = 3});
  auto model = study.model.get<LogisticRegression>();
  model.covariates = covariates;
  study.model = model;
  return study;
}

CovariateLaw law_of(const Study& study) {
  return covariate_law(study.model.get<LogisticRegression>(), study.schema);
}

/// Shares of levels by a fine grid of u.
std::vector<double> masses(const CovariateLaw& law, std::size_t feature, std::uint32_t levels) {
  constexpr int kPoints = 200'000;
  std::vector<double> out(levels, 0.0);
  for (int i = 0; i < kPoints; ++i) out[law.level(feature, (i + 0.5) / kPoints)] += 1.0 / kPoints;
  return out;
}

TEST(Covariates, UniformIsEveryLevelAlike) {
  for (const double share : masses(law_of(study_of({})), 0, 41)) EXPECT_NEAR(share, 1.0 / 41, 1e-4);
}

TEST(Covariates, NormalNumbersAreRoundedAndClamped) {
  const Study study = study_of({{{Shape::normal, {30, 10}}, {}}, {}});
  const std::vector<double> found = masses(law_of(study), 0, 41);
  EXPECT_NEAR(found[0], normal_cdf((0.5 - 30) / 10), 1e-4);
  EXPECT_NEAR(found[25], normal_cdf(-0.45) - normal_cdf(-0.55), 1e-4);
  EXPECT_NEAR(found[40], 1 - normal_cdf((39.5 - 30) / 10), 1e-4);
}

TEST(Covariates, WeightsAreOfLevelsOrOfEqualParts) {
  const Study study = study_of({{{Shape::weights, {3, 1}}, {Shape::weights, {1, 0, 3}}}, {}});
  const CovariateLaw law = law_of(study);
  const std::vector<double> category = masses(law, 1, 3);
  EXPECT_NEAR(category[0], 0.25, 1e-4);
  EXPECT_EQ(category[1], 0);
  const std::vector<double> number = masses(law, 0, 41);
  EXPECT_NEAR(std::accumulate(number.begin(), number.begin() + 20, 0.0) + number[20] * 0.75, 0.75, 1e-3);
  EXPECT_NEAR(number[3], 0.75 / 20.5, 1e-4);
}

TEST(Covariates, RowsAreDrawnAsTheyAre) {
  Covariates covariates;
  for (std::uint32_t i = 0; i < 10; ++i) covariates.rows.insert(covariates.rows.end(), {4 * i, i % 3});
  const Study study = study_of(covariates);
  const CovariateLaw law = law_of(study);
  EXPECT_EQ(law.rows(), 10U);
  Rng rng(20261118, 301, Purpose::test);
  std::vector<std::uint32_t> levels(3, 9);
  for (int i = 0; i < 100; ++i) {
    law.draw(levels, rng);
    EXPECT_EQ(levels[1], levels[0] / 4 % 3);
    EXPECT_EQ(levels[2], 9U) << "the target is not the law's";
  }
}

TEST(Covariates, LawsThatCannotBeAreRefused) {
  const std::vector<ColumnLaw> wrong_number{
      {Shape::normal, {30, 0}},  {Shape::normal, {30}},
      {Shape::weights, {}},      {Shape::weights, {0, 0}},
      {Shape::weights, {-1, 2}}, {Shape::weights, std::vector<Rational>(42, Rational(1))}};
  for (const ColumnLaw& law : wrong_number) EXPECT_THROW(check_study(study_of({{law, {}}, {}})), Error);
  EXPECT_THROW(check_study(study_of({{{}, {Shape::normal, {1, 1}}}, {}})), Error);
  EXPECT_THROW(check_study(study_of({{{}, {Shape::weights, {1, 1}}}, {}})), Error);
  EXPECT_THROW(check_study(study_of({{}, std::vector<std::uint32_t>(21, 0)})), Error);  // cut short
  EXPECT_THROW(check_study(study_of({{}, std::vector<std::uint32_t>(4, 0)})), Error);   // too few
  EXPECT_THROW(check_study(study_of({{}, std::vector<std::uint32_t>(20, 3)})), Error);  // no such level
  EXPECT_NO_THROW(check_study(study_of({{{Shape::normal, {30, 10}}, {Shape::weights, {1, 0, 3}}}, {}})));
}

}  // namespace
}  // namespace postern::model
