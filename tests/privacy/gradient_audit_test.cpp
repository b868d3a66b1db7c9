#include <gtest/gtest.h>

#include "postern/assess/audit_stat.hpp"
#include "postern/owner/gate.hpp"
#include "postern/release/noise_law.hpp"

#include "logistic_studies.hpp"

// A black-box audit of noisy gradients, all rounds through the gate. One record whose target differs moves
// every coordinate of the first gradient by as much as can be. The event is the log likelihood ratio of all
// rounds under the laws that the document states. Real randomness: an honest gate fails with probability at
// most alpha = 1e-6. That it sees enough is shown by a planted bug.

namespace postern::owner {
namespace {

constexpr double kAlpha = 1e-6;
constexpr std::size_t kRuns = 1500;

using Record = std::vector<std::uint32_t>;

std::vector<std::vector<Int128>> values_of(const model::Measurement& measurement, const model::Study& study,
                                           const std::vector<Record>& records) {
  std::vector<std::vector<Int128>> out;
  for (const model::Block& block : measurement.blocks) {
    const auto tally = block.statistic.kind().tally(block.statistic, study.schema);
    const bool count = block.statistic.kind().columns(block.statistic).empty();
    for (const Record& record : records) tally->add(count ? Record() : record, 1);
    out.push_back(tally->values());
  }
  return out;
}

double log_likelihood(const release::Release& made, const std::vector<Record>& records) {
  double out = 0;
  const auto exact = values_of(made.measurement(), made.study, records);
  for (std::size_t b = 0; b < exact.size(); ++b) {
    const release::NoiseLaw law = release::noise_law(made.blocks[b].block.noise);
    for (std::size_t j = 0; j < exact[b].size(); ++j)
      out += release::log_pmf(law, static_cast<double>(made.blocks[b].values[j] - exact[b][j]));
  }
  return out;
}

std::vector<double> ratios(const model::Study& study, const model::NoisePlan& plan,
                           const std::vector<Record>& here, const std::vector<Record>& there, bool neighbour,
                           Entropy& entropy) {
  const std::vector<Record>& records = neighbour ? there : here;
  const Measure measure = [&](const model::Measurement& measurement) {
    return Measured{static_cast<std::int64_t>(records.size()), values_of(measurement, study, records),
                    [&](const model::Measurement& next) { return values_of(next, study, records); }};
  };
  std::vector<double> out;
  constexpr std::size_t kBatch = 250;  // a ledger adds up its rows at every charge
  while (out.size() < kRuns) {
    Ledger ledger = Ledger::rehearsal(
        {study.dataset, study.privacy, Spend(study.privacy.currency, std::int64_t{1} << 62)});
    for (std::size_t i = 0; i < kBatch; ++i) {
      const release::Release made = pass_gate({study, plan, false}, ledger, entropy, measure);
      out.push_back(log_likelihood(made, there) - log_likelihood(made, here));
    }
  }
  return out;
}

void expect_no_more_than(model::Adjacency adjacency, Currency currency, const std::string& amount) {
  const model::Study study =
      model::logistic_study({.rounds = 2, .adjacency = adjacency, .currency = currency, .n = 10});
  const model::NoisePlan plan = model::logistic_plan(study, amount);
  const std::vector<Record> here{{20, 0}, {40, 1}};
  std::vector<Record> there{{20, 0}, {40, 0}};
  if (adjacency == model::Adjacency::add_remove) there.pop_back();
  Entropy entropy;
  const auto found =
      assess::audit_lower_bound(ratios(study, plan, here, there, false, entropy),
                                ratios(study, plan, here, there, true, entropy), currency, kAlpha);
  EXPECT_LE(found.lower, plan.cost.exact().get_d());
}

TEST(GradientAudit, ShowsNoMoreThanTheClaim) {
  expect_no_more_than(model::Adjacency::replace_one, Currency::pure, "2");
  expect_no_more_than(model::Adjacency::replace_one, Currency::zcdp, "1");
  expect_no_more_than(model::Adjacency::add_remove, Currency::pure, "2");
}

}  // namespace
}  // namespace postern::owner
