// Fourier coefficients of small networks: the privacy loss by enumeration, and audits of the gate.

#include <gtest/gtest.h>

#include "postern/model/plan.hpp"

#include "network_audit.hpp"
#include "network_studies.hpp"

namespace postern::owner {
namespace {

model::NoisePlan plan_of(const model::Study& study, const char* amount) {
  return make_noise_plan(study, model::Mechanism::fourier, Spend::parse(study.privacy.currency, amount));
}

// The cost of these networks is exact, so it is attained by Laplace noise, not merely not passed.
TEST(FourierEnumeration, LosesExactlyEpsilon) {
  const std::vector<std::vector<std::size_t>> chain{{}, {0}, {1}};
  const std::vector<std::vector<std::size_t>> meeting{{}, {}, {0, 1}};
  for (const Adjacency adjacency : {Adjacency::replace_one, Adjacency::add_remove}) {
    for (const model::Study& study :
         {model::naive_study(1, 2, adjacency), model::network_study({2, 3, 2}, chain, adjacency),
          model::network_study({2, 2, 2}, meeting, adjacency)}) {
      for (const char* epsilon : {"0.5", "3"})
        EXPECT_NEAR(enumerated_loss(study, plan_of(study, epsilon)), std::stod(epsilon), 1e-12);
    }
  }
}

class FourierAudit : public testing::TestWithParam<PolicyOf> {};

TEST_P(FourierAudit, ShowsNoMoreThanTheClaim) {
  const auto& [adjacency, currency] = GetParam();
  for (const model::Study& study :
       {model::naive_study(1, 2, adjacency, currency),
        model::network_study({2, 3, 2, 2}, {{}, {0}, {0}, {1, 2}}, adjacency, currency)}) {
    const model::NoisePlan plan = plan_of(study, "1");
    const Neighbours pair = far_apart(study, plan);
    expect_no_more_than_claimed(study, plan, pair);
  }
}

INSTANTIATE_TEST_SUITE_P(All, FourierAudit, testing::ValuesIn(kEveryPolicy), policy_name);

}  // namespace
}  // namespace postern::owner
