// Sums of products of small logistic and Poisson regressions: the privacy loss by enumeration, with the
// records read and added up as a release does it, and audits of the gate.

#include <gtest/gtest.h>

#include "postern/owner/measure.hpp"

#include "glm_studies.hpp"
#include "network_audit.hpp"

namespace postern::owner {
namespace {

constexpr double kAlpha = 1e-6;

using Blocks = std::vector<std::vector<Int128>>;

/// What a release adds noise to. @pre levels fit a byte
Blocks measured(const model::Study& study, const model::NoisePlan& plan, const std::vector<Record>& records) {
  const std::vector<std::string> names = model::columns_of(study.model);
  std::vector<std::uint32_t> levels;
  std::vector<CodedColumn> columns;
  for (std::size_t c = 0; c < names.size(); ++c) {
    levels.push_back(study.schema.at(names[c]).levels());
    Wiped<std::uint8_t> codes;
    for (const Record& record : records) codes.push_back(static_cast<std::uint8_t>(record[c]));
    columns.emplace_back(std::move(codes));
  }
  const Records coded(names, levels, std::move(columns), records.size());
  return measure(coded, study.schema, plan.measurement, 1);
}

double price(const model::NoisePlan& plan, const Blocks& a, const Blocks& b) {
  double total = 0;
  for (std::size_t block = 0; block < a.size(); ++block) {
    const model::Noise& noise = plan.measurement.blocks[block].noise;
    const double p = noise.parameter.get_d();
    for (std::size_t j = 0; j < a[block].size(); ++j) {
      const auto change = static_cast<double>(a[block][j] - b[block][j]);
      total +=
          noise.kind == model::NoiseKind::discrete_laplace ? p * std::abs(change) : change * change / (2 * p);
    }
  }
  return total;
}

/// The worst pair of neighbours among sets of one record, or of none and one.
struct Worst {
  double loss = 0;
  Neighbours pair{"none", 0, 0, {}, {}};
};

Worst worst_neighbours(const model::Study& study, const model::NoisePlan& plan) {
  const graph::Domain domain = study.schema.domain(model::columns_of(study.model));
  std::vector<Blocks> all;
  for (std::size_t cell = 0; cell < domain.cells(); ++cell)
    all.push_back(measured(study, plan, {domain.levels_of(cell)}));
  const bool joins = study.privacy.adjacency == Adjacency::add_remove;
  const std::vector<Blocks> others = joins ? std::vector<Blocks>{measured(study, plan, {})} : all;
  Worst worst;
  for (const Blocks& a : others) {
    for (const Blocks& b : all) {
      const double loss = price(plan, a, b);
      if (loss <= worst.loss) continue;
      worst = {loss, {"worst", joins ? 0 : 1, 1, a, b}};
    }
  }
  return worst;
}

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

class GlmAudit : public testing::TestWithParam<std::pair<Adjacency, Currency>> {};

TEST_P(GlmAudit, ShowsNoMoreThanTheClaim) {
  const auto& [adjacency, currency] = GetParam();
  for (const auto family : {model::GlmFamily::logistic, model::GlmFamily::poisson}) {
    const model::Study study = model::glm_study(kShapes[1], family, adjacency, currency);
    const model::NoisePlan plan = model::regression_plan(study, currency == Currency::pure ? "2" : "0.5");
    const Neighbours pair = worst_neighbours(study, plan).pair;
    Entropy entropy;
    for (const Event event : {Event::likelihood_ratio, Event::projection}) {
      const auto on_d = run_gate(study, plan, pair, false, event, 40, 200, entropy);
      const auto on_neighbour = run_gate(study, plan, pair, true, event, 40, 200, entropy);
      const auto found = assess::audit_lower_bound(on_d, on_neighbour, currency, kAlpha);
      EXPECT_LE(found.lower, plan.cost.exact().get_d());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, GlmAudit,
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
