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
constexpr double kAlpha = 1e-6;

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

class NetworkAudit : public testing::TestWithParam<std::pair<Adjacency, Currency>> {};

TEST_P(NetworkAudit, ShowsNoMoreThanTheClaim) {
  const auto& [adjacency, currency] = GetParam();
  for (const model::Study& study :
       {model::naive_study(1, 2, adjacency, currency),
        model::network_study({2, 3, 2, 2}, {{}, {0}, {0}, {1, 2}}, adjacency, currency),
        model::markov_study({2, 3, 2}, {{0, 1}, {1, 2}, {1}}, adjacency, currency)}) {
    const model::NoisePlan plan = model::small_plan(study, 1);
    const Neighbours pair = far_apart(study, plan);
    Entropy entropy;
    for (const Event event : {Event::likelihood_ratio, Event::projection}) {
      const auto on_d = run_gate(study, plan, pair, false, event, 40, 200, entropy);
      const auto on_neighbour = run_gate(study, plan, pair, true, event, 40, 200, entropy);
      const auto found = assess::audit_lower_bound(on_d, on_neighbour, currency, kAlpha);
      EXPECT_LE(found.lower, plan.cost.exact().get_d()) << pair.what;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, NetworkAudit,
                         testing::Values(std::pair(Adjacency::replace_one, Currency::pure),
                                         std::pair(Adjacency::add_remove, Currency::pure),
                                         std::pair(Adjacency::replace_one, Currency::zcdp),
                                         std::pair(Adjacency::add_remove, Currency::zcdp)),
                         [](const auto& one) {
                           return std::string(one.param.first == Adjacency::add_remove ? "add_remove_"
                                                                                       : "replace_one_") +
                                  std::string(to_text(one.param.second));
                         });

}  // namespace
}  // namespace postern::owner
