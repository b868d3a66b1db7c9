// Family and clique tables of small networks: the privacy loss by enumeration of all outcomes, and audits of
// the gate.

#include "network_audit.hpp"

#include <gtest/gtest.h>

#include "postern/model/plan.hpp"

#include "markov_studies.hpp"
#include "network_studies.hpp"

namespace postern::owner {
namespace {

using model::Adjacency;
// Laplace noise: epsilon is attained, not merely not passed.
TEST(NetworkEnumeration, LosesExactlyEpsilon) {
  const std::vector<std::vector<std::size_t>> chain{{}, {0}, {1}};
  const std::vector<std::vector<std::size_t>> meeting{{}, {}, {0, 1}};
  for (const Adjacency adjacency : {Adjacency::replace_one, Adjacency::add_remove}) {
    for (const model::Study& study :
         {model::naive_study(1, 2, adjacency), model::network_study({2, 3, 2}, chain, adjacency),
          model::network_study({2, 2, 2}, meeting, adjacency),
          model::markov_study({2, 3, 2}, {{0, 1}, {1, 2}, {1}}, adjacency),
          model::markov_study({2, 2, 2}, {{0, 1}, {1, 2}, {0, 2}}, adjacency)}) {
      for (const char* epsilon : {"0.5", "3"}) {
        const model::NoisePlan plan =
            make_noise_plan(study, model::Mechanism::laplace, Spend::parse(Currency::pure, epsilon));
        EXPECT_NEAR(enumerated_loss(study, plan), std::stod(epsilon), 1e-12);
      }
    }
  }
}

class NetworkAudit : public testing::TestWithParam<PolicyOf> {};

TEST_P(NetworkAudit, ShowsNoMoreThanTheClaim) {
  const auto& [adjacency, currency] = GetParam();
  for (const model::Study& study :
       {model::naive_study(1, 2, adjacency, currency),
        model::network_study({2, 3, 2, 2}, {{}, {0}, {0}, {1, 2}}, adjacency, currency),
        model::markov_study({2, 3, 2}, {{0, 1}, {1, 2}, {1}}, adjacency, currency)}) {
    const model::NoisePlan plan = model::small_plan(study, 1);
    const Neighbours pair = far_apart(study, plan);
    expect_no_more_than_claimed(study, plan, pair);
  }
}

INSTANTIATE_TEST_SUITE_P(All, NetworkAudit, testing::ValuesIn(kEveryPolicy), policy_name);

}  // namespace
}  // namespace postern::owner
