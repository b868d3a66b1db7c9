// What the clique tables of a Markov network cost, against brute force over all pairs of records.

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/statistic/table.hpp"

#include "markov_studies.hpp"
#include "worst_loss.hpp"

namespace postern::model {
namespace {

NoisePlan plan_of(const Study& study, Request request = {}) {
  request.mechanism = default_mechanism(study);
  return make_noise_plan(study, request, Spend::parse(study.privacy.currency, "1"));
}

/// The budget over what one coordinate that changes by one costs: L1 or squared L2 sensitivity.
Rational sensitivity(const Study& study) {
  const Rational parameter = plan_of(study).measurement.blocks.front().noise.parameter;
  return study.privacy.currency == Currency::pure ? Rational(1 / parameter) : Rational(2 * parameter);
}

TEST(MarkovCost, IsTheNumberOfCliquesAndTwiceThatWhereNIsPublic) {
  const std::vector<graph::Variables> cliques{{0, 1}, {1, 2}, {0, 2, 3}, {1}};
  for (const Currency currency : {Currency::pure, Currency::zcdp}) {
    EXPECT_EQ(sensitivity(markov_study({2, 3, 2, 2}, cliques, Adjacency::add_remove, currency)), 4);
    EXPECT_EQ(sensitivity(markov_study({2, 3, 2, 2}, cliques, Adjacency::replace_one, currency)), 8);
  }
}

TEST(MarkovCost, MeasuresOneTableAClique) {
  const Measurement measured = plan_of(markov_study({2, 3, 2}, {{1, 2}, {0, 1}, {1}})).measurement;
  ASSERT_EQ(measured.blocks.size(), 3u);
  EXPECT_EQ(measured.blocks[0].statistic.get<Table>().columns, (std::vector<std::string>{"x1", "x2"}));
  EXPECT_EQ(measured.blocks[1].size, 6u);
  EXPECT_EQ(measured.blocks[2].size, 3u);
}

TEST(MarkovCost, SharesPrecisionByTheColumnsOfCliques) {
  const Study study = markov_study({3, 3, 2}, {{0, 1}, {1, 2}});
  const NoisePlan plan = plan_of(study, {Mechanism::laplace, {{"x1 x x2", Rational(3)}}});
  EXPECT_EQ(plan.measurement.blocks[0].noise.parameter, Rational(1, 8));
  EXPECT_EQ(plan.measurement.blocks[1].noise.parameter, Rational(3, 8));
  EXPECT_EQ(plan.cost.text(), "1");
  EXPECT_THROW(plan_of(study, {Mechanism::laplace, {{"x2 x x1", Rational(3)}}}), Error);
}

TEST(MarkovCost, EqualsBruteForceOnRandomNetworks) {
  Rng rng(20261119, 0, Purpose::test);
  for (int trial = 0; trial < 60; ++trial) {
    const auto adjacency = trial % 2 == 0 ? Adjacency::replace_one : Adjacency::add_remove;
    const auto currency = trial % 4 < 2 ? Currency::pure : Currency::zcdp;
    const Study study = random_markov_study(5, 3, adjacency, currency, rng);
    const auto& net = study.model.get<MarkovNet>();
    Request request;
    for (const graph::Variables& clique : net.cliques) {
      std::string name;
      for (const std::uint32_t v : clique) name += (name.empty() ? "" : " x ") + net.columns[v];
      if (rng() % 2 == 0) request.shares[name] = Rational(static_cast<long>(1 + rng() % 5));
    }
    const NoisePlan plan = plan_of(study, request);
    EXPECT_EQ(worst_loss(study, plan.measurement), cost(plan.measurement, study.schema, study.privacy))
        << trial;
    EXPECT_EQ(plan.cost.text(), "1") << trial;
  }
}

}  // namespace
}  // namespace postern::model
