// Sums of products of small logistic and Poisson regressions: the privacy loss by enumeration, with the
// records read and added up as a release does it, and audits of the gate.

#include <gtest/gtest.h>

#include "glm_studies.hpp"
#include "regression_audit.hpp"

namespace postern::owner {
namespace {

const std::vector<model::RegressionShape> kShapes = {
    {{5}, {}, 5, 2, true}, {{3, 3}, {}, 3, 2, true}, {{3}, {3, 2}, 3, 2, true}, {{3, 3}, {2}, 4, 2, false}};

// Charged is what some record costs (add-remove), or no less than any costs and not much more (replace-one).
TEST(GlmEnumeration, CostsWhatIsCharged) {
  for (const model::RegressionShape& shape : kShapes) {
    for (const auto family : {model::GlmFamily::logistic, model::GlmFamily::poisson}) {
      for (const Currency currency : {Currency::pure, Currency::zcdp}) {
        const model::Study joins = model::glm_study(shape, family, Adjacency::add_remove, currency);
        EXPECT_NEAR(worst_neighbours(joins, model::regression_plan(joins, "2")).loss, 2, 1e-9);
        const model::Study replaced = model::glm_study(shape, family, Adjacency::replace_one, currency);
        const double loss = worst_neighbours(replaced, model::regression_plan(replaced, "2")).loss;
        EXPECT_LE(loss, 2 + 1e-9);
        EXPECT_GE(loss, 2 / 1.3);
      }
    }
  }
}

class GlmAudit : public testing::TestWithParam<PolicyOf> {};

TEST_P(GlmAudit, ShowsNoMoreThanTheClaim) {
  const auto& [adjacency, currency] = GetParam();
  for (const auto family : {model::GlmFamily::logistic, model::GlmFamily::poisson}) {
    const model::Study study = model::glm_study(kShapes[1], family, adjacency, currency);
    const model::NoisePlan plan = model::regression_plan(study, currency == Currency::pure ? "2" : "0.5");
    const Neighbours pair = worst_neighbours(study, plan).pair;
    expect_no_more_than_claimed(study, plan, pair);
  }
}

INSTANTIATE_TEST_SUITE_P(All, GlmAudit, testing::ValuesIn(kEveryPolicy), policy_name);

}  // namespace
}  // namespace postern::owner
