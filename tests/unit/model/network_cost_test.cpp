// What the family tables of a network cost, against brute force over all pairs of records.

#include <gtest/gtest.h>

#include "postern/model/plan.hpp"
#include "postern/model/statistic/table.hpp"

#include "network_studies.hpp"
#include "worst_loss.hpp"

namespace postern::model {
namespace {

NoisePlan plan_of(const Study& study, const Request& request = {}) {
  Request asked = request;
  asked.mechanism = default_mechanism(study);
  return make_noise_plan(study, asked, Spend::parse(study.privacy.currency, "1"));
}

/// The budget over what one coordinate that changes by one costs: L1 or squared L2 sensitivity.
Rational sensitivity(const Study& study) {
  const Rational parameter = plan_of(study).measurement.blocks.front().noise.parameter;
  return study.privacy.currency == Currency::pure ? Rational(1 / parameter) : Rational(2 * parameter);
}

TEST(NetworkCost, IsTwoANodeOneForABinaryRootAndOneEachWhereNIsHidden) {
  for (const Currency currency : {Currency::pure, Currency::zcdp}) {
    EXPECT_EQ(sensitivity(naive_study(16, 2, Adjacency::replace_one, currency)), 33);
    EXPECT_EQ(sensitivity(naive_study(16, 2, Adjacency::add_remove, currency)), 17);
    EXPECT_EQ(sensitivity(naive_study(16, 3, Adjacency::replace_one, currency)), 34);
    EXPECT_EQ(sensitivity(naive_study(16, 3, Adjacency::add_remove, currency)), 17);
    const std::vector<std::vector<std::size_t>> v{{}, {}, {0, 1}};
    EXPECT_EQ(sensitivity(network_study({2, 3, 2}, v, Adjacency::replace_one, currency)), 5);
    EXPECT_EQ(sensitivity(network_study({2, 2, 2}, v, Adjacency::replace_one, currency)), 4);
    EXPECT_EQ(sensitivity(network_study({2, 2, 2}, v, Adjacency::add_remove, currency)), 3);
  }
}

TEST(NetworkCost, WithTheWholeTableOfABinaryRootIsTwoANode) {
  const Study study = naive_study(16, 2);
  Measurement whole = plan_of(study).measurement;
  whole.blocks.front().statistic = Table{{"x0"}};
  whole.blocks.front().size = 2;
  EXPECT_EQ(cost(whole, study.schema, study.privacy), Rational(34, 33));
}

TEST(NetworkCost, MeasuresOneTableAFamily) {
  const Study study = network_study({2, 3, 2}, {{}, {}, {1, 0}});
  const Measurement measured = plan_of(study).measurement;
  ASSERT_EQ(measured.blocks.size(), 3u);
  EXPECT_EQ(measured.blocks[0].statistic.get<LevelCount>().column, "x0");
  EXPECT_EQ(measured.blocks[0].statistic.get<LevelCount>().level, 1u);
  EXPECT_EQ(measured.blocks[1].statistic.get<Table>().columns, (std::vector<std::string>{"x1"}));
  EXPECT_EQ(measured.blocks[2].statistic.get<Table>().columns, (std::vector<std::string>{"x1", "x0", "x2"}));
  EXPECT_EQ(measured.blocks[2].size, 12u);
  const Study hidden = network_study({2, 2}, {{}, {0}}, Adjacency::add_remove);
  EXPECT_EQ(plan_of(hidden).measurement.blocks[0].size, 2u);
}

TEST(NetworkCost, SharesPrecisionByTheNamesOfColumns) {
  const Study study = network_study({3, 3}, {{}, {0}});
  const NoisePlan plan = plan_of(study, {Mechanism::laplace, {{"x1", Rational(3)}}});
  EXPECT_EQ(plan.measurement.blocks[0].noise.parameter, Rational(1, 8));
  EXPECT_EQ(plan.measurement.blocks[1].noise.parameter, Rational(3, 8));
  EXPECT_EQ(plan.cost.text(), "1");
  EXPECT_THROW(plan_of(study, {Mechanism::laplace, {{"x2", Rational(3)}}}), Error);
}

TEST(NetworkCost, EqualsBruteForceOnRandomNetworks) {
  Rng rng(20261118, 0, Purpose::test);
  for (int trial = 0; trial < 60; ++trial) {
    const auto adjacency = trial % 2 == 0 ? Adjacency::replace_one : Adjacency::add_remove;
    const auto currency = trial % 4 < 2 ? Currency::pure : Currency::zcdp;
    const Study study = random_network_study(5, 3, adjacency, currency, rng);
    Request request;
    for (const std::string& name : columns_of(study.model)) {
      if (rng() % 2 == 0) request.shares[name] = Rational(static_cast<long>(1 + rng() % 5));
    }
    const NoisePlan plan = plan_of(study, request);
    EXPECT_EQ(worst_loss(study, plan.measurement), cost(plan.measurement, study.schema, study.privacy))
        << trial;
    EXPECT_EQ(plan.cost.text(), "1") << trial;
  }
}

TEST(NetworkCost, OfAHundredFamiliesIsQuicklyKnown) {
  std::vector<std::vector<std::size_t>> parents(100);
  for (std::size_t i = 3; i < 100; ++i) parents[i] = {i - 3, i - 2, i - 1};
  const Study study = network_study(std::vector<std::uint32_t>(100, 3), parents);
  EXPECT_EQ(sensitivity(study), 200);
}

}  // namespace
}  // namespace postern::model
