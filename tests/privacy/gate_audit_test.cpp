#include <gtest/gtest.h>

#include "postern/model/plan.hpp"
#include "postern/model/statistic/table.hpp"

#include "audit_kit.hpp"
#include "small_studies.hpp"

// Black-box audits of the whole gate on neighbours built from the schema: every family x adjacency x noise.
// They can only falsify. Runs are real noise, so each audit of an honest gate fails with probability at most
// alpha = 1e-6, and a gate with half the noise passes with probability below 2e-9
// (lib/assess/src/audit_stat.md; N is twice the table's since half chooses the event).

namespace postern::owner {
namespace {

using model::Adjacency;

constexpr double kAlpha = 1e-6;

/// Counts of the cells of the model's table -> the statistics the plan measures.
std::vector<std::vector<Int128>> statistics(const model::NoisePlan& plan, const std::vector<Int128>& counts) {
  std::vector<std::vector<Int128>> blocks;
  for (const model::Block& block : plan.measurement.blocks) {
    const auto* level = block.statistic.as<model::LevelCount>();
    blocks.push_back(level != nullptr ? std::vector<Int128>{counts[level->level]} : counts);
  }
  return blocks;
}

/// The neighbours that matter: a record joins n = 0, 1, 1000 others, or moves between two cells.
std::vector<Neighbours> neighbours(const model::Study& study, const model::NoisePlan& plan,
                                   std::uint32_t cells) {
  std::vector<Neighbours> pairs;
  for (const std::int64_t n : {0, 1, 1000}) {
    if (n == 0 && study.privacy.adjacency == Adjacency::replace_one) continue;
    std::vector<Int128> before(cells, 0);
    before[0] = n;
    std::vector<Int128> after = before;
    after[cells - 1] += 1;
    std::int64_t after_n = n + 1;
    if (study.privacy.adjacency == Adjacency::replace_one) {
      after[0] -= 1;
      after_n = n;
    }
    pairs.push_back(
        {"n = " + std::to_string(n), n, after_n, statistics(plan, before), statistics(plan, after)});
  }
  return pairs;
}

struct Setting {
  std::uint32_t levels;
  Adjacency adjacency;
  Currency currency;
  Rational epsilon;  // rho = epsilon^2 / 2
  std::size_t passes;
  std::size_t copies;
};

class GateAudit : public testing::TestWithParam<Setting> {};

TEST_P(GateAudit, ShowsNoMoreThanTheClaim) {
  const Setting& setting = GetParam();
  const model::Study study = model::small_study(
      {.levels = setting.levels, .adjacency = setting.adjacency, .currency = setting.currency});
  const model::NoisePlan plan = model::small_plan(study, setting.epsilon);
  const double claim = plan.cost.exact().get_d();
  Entropy entropy;
  for (const Neighbours& pair : neighbours(study, plan, setting.levels)) {
    for (const Event event : {Event::likelihood_ratio, Event::projection}) {
      const auto on_d = run_gate(study, plan, pair, false, event, setting.passes, setting.copies, entropy);
      const auto on_neighbour =
          run_gate(study, plan, pair, true, event, setting.passes, setting.copies, entropy);
      const auto found = assess::audit_lower_bound(on_d, on_neighbour, setting.currency, kAlpha);
      EXPECT_LE(found.lower, claim) << pair.what
                                    << (event == Event::projection ? ", projection" : ", likelihood ratio");
    }
  }
}

std::vector<Setting> settings() {
  std::vector<Setting> out;
  for (const std::uint32_t levels : {2u, 3u}) {
    for (const Adjacency adjacency : {Adjacency::replace_one, Adjacency::add_remove}) {
      out.push_back({levels, adjacency, Currency::pure, Rational(1), 40, 100});
      out.push_back({levels, adjacency, Currency::pure, Rational(1, 10), 120, 1000});
      out.push_back({levels, adjacency, Currency::zcdp, Rational(1), 40, 100});
      out.push_back({levels, adjacency, Currency::zcdp, Rational(1, 10), 120, 1000});
    }
  }
  return out;
}

INSTANTIATE_TEST_SUITE_P(All, GateAudit, testing::ValuesIn(settings()), [](const auto& one) {
  const Setting& setting = one.param;
  return "levels" + std::to_string(setting.levels) +
         (setting.adjacency == Adjacency::add_remove ? "_add_remove" : "_replace_one") +
         (setting.epsilon == 1 ? "_one_" : "_tenth_") + std::string(to_text(setting.currency));
});

}  // namespace
}  // namespace postern::owner
