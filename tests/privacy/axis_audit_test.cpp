#include <gtest/gtest.h>

#include "postern/assess/audit_stat.hpp"
#include "postern/model/kinds/principal_axis.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study_file.hpp"
#include "postern/owner/gate.hpp"

// A black-box audit of an axis of two columns, chosen through the whole gate. Two records pull along either
// axis; the neighbour's third has moved from the end of one to the end of the other. Real randomness: an
// honest gate fails with probability at most alpha = 1e-6. That it sees enough is shown by a planted bug.

namespace postern::owner {
namespace {

constexpr double kAlpha = 1e-6;
constexpr std::size_t kRuns = 1000;
constexpr std::size_t kFirst = 12 * 13 + 6;   // (6, 0)
constexpr std::size_t kSecond = 6 * 13 + 12;  // (0, 6)

model::Study study_of(const std::string& privacy) {
  return model::parse_study("version = 1\nname = \"s\"\ndataset = \"d\"\n[privacy]\n" + privacy +
                                "[columns.a]\ninteger = [-6, 6]\n[columns.b]\ninteger = [-6, 6]\n[model]\n"
                                "kind = \"principal-component\"\ncolumns = [\"a\", \"b\"]\nsigma = 3\nangles "
                                "= 2\nradii = [9]\n",
                            "s.toml");
}

/// Whether the first column's axis was chosen. Cells are (a + 6) 13 + b + 6.
std::vector<double> chosen(const model::Study& study, const model::NoisePlan& plan,
                           const std::vector<std::size_t>& cells, Entropy& entropy) {
  std::vector<std::int64_t> counts(13 * 13, 0);
  for (const std::size_t cell : cells) ++counts[cell];
  const Measure measure = [&](const model::Measurement& measurement) {
    Measured measured;
    measured.n = static_cast<std::int64_t>(cells.size());
    for (const model::Block& block : measurement.blocks) {
      const auto& kind = block.statistic.kind();
      measured.blocks.push_back(kind.is_choice() ? kind.from_counts(block.statistic, study.schema, counts)
                                                 : std::vector<Int128>{measured.n});
    }
    return measured;
  };
  std::vector<double> out;
  constexpr std::size_t kBatch = 250;  // a ledger adds up its rows at every charge
  while (out.size() < kRuns) {
    Ledger ledger = Ledger::rehearsal(
        {study.dataset, study.privacy, Spend(study.privacy.currency, std::int64_t{1} << 62)});
    for (std::size_t i = 0; i < kBatch; ++i)
      out.push_back(pass_gate({study, plan, false}, ledger, entropy, measure).blocks[0].values[0] == 0 ? 1
                                                                                                       : 0);
  }
  return out;
}

void expect_no_more_than(const std::string& privacy, const Spend& budget, double epsilon,
                         const std::vector<std::size_t>& neighbour) {
  const model::Study study = study_of(privacy);
  const auto plan = model::make_noise_plan(study, model::Mechanism::exponential, budget);
  Entropy entropy;
  const auto here = chosen(study, plan, {kFirst, kSecond, kFirst}, entropy);
  const auto there = chosen(study, plan, neighbour, entropy);
  EXPECT_LE(assess::audit_lower_bound(here, there, Currency::pure, kAlpha).lower, epsilon);
}

TEST(AxisAudit, ShowsNoMoreThanTheClaim) {
  const Spend one{Currency::pure, 1'000'000'000};
  expect_no_more_than("adjacency = \"replace-one\"\n", one, 1, {kFirst, kSecond, kSecond});
  expect_no_more_than("adjacency = \"replace-one\"\ncurrency = \"zcdp\"\n",
                      Spend{Currency::zcdp, 125'000'000}, 1, {kFirst, kSecond, kSecond});
  // nine tenths of the budget are the choice's, and the count is not looked at
  expect_no_more_than("adjacency = \"add-remove\"\nn = { at_most = 9 }\n", one, 0.9, {kFirst, kSecond});
}

}  // namespace
}  // namespace postern::owner
