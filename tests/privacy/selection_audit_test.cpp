#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "postern/assess/audit_stat.hpp"
#include "postern/infer/round_fit.hpp"
#include "postern/model/statistic/clique_scores.hpp"
#include "postern/owner/gate.hpp"
#include "postern/release/choice.hpp"
#include "postern/release/noise_law.hpp"
#include "postern/release/rounds.hpp"

#include "markov_studies.hpp"

// Audits of networks that their releases choose, all rounds through the gate: a tree, and a tree with more
// pairs by the model so far. What each choice shows is computed exactly, from its scores under two
// neighbouring data sets; what a whole release shows is estimated: the event is the log likelihood ratio of
// all rounds under the laws that the document states. Real randomness: an honest gate fails with probability
// at most alpha = 1e-6. So few runs see little of a whole release; that of its choices is seen exactly.

namespace postern::owner {
namespace {

constexpr double kAlpha = 1e-6;
constexpr std::size_t kRuns = 1000;

using Record = std::vector<std::uint32_t>;

std::vector<std::vector<Int128>> values_of(const model::Measurement& measurement, const model::Study& study,
                                           const std::vector<Record>& records) {
  std::vector<std::vector<Int128>> out;
  const std::vector<std::string> all = model::columns_of(study.model);
  for (const model::Block& block : measurement.blocks) {
    const auto tally = block.statistic.kind().tally(block.statistic, study.schema);
    for (const Record& record : records) {
      Record own;
      for (const std::string& name : block.statistic.kind().columns(block.statistic))
        own.push_back(
            record[static_cast<std::size_t>(std::find(all.begin(), all.end(), name) - all.begin())]);
      tally->add(own, 1);
    }
    out.push_back(tally->values());
  }
  return out;
}

model::Study selected_study(model::Selection select, model::Adjacency adjacency, Currency currency) {
  model::Study study = model::markov_study({2, 2, 2, 2}, {{0}}, adjacency, currency);
  model::MarkovNet net = study.model.get<model::MarkovNet>();
  net.cliques.clear();
  net.select = select;
  net.more_pairs = 1;
  net.most_cells = 100;
  study.model = std::move(net);
  return study;
}

/// Two data sets that differ in one record, whose pairs lie on different sides of what is expected.
struct Neighbours {
  std::vector<Record> here{{0, 0, 0, 0}, {0, 0, 0, 0}, {1, 1, 1, 1}, {1, 1, 1, 1}, {0, 1, 0, 1}};
  std::vector<Record> there = here;
  explicit Neighbours(model::Adjacency adjacency) {
    there.back() = {1, 0, 1, 0};
    if (adjacency == model::Adjacency::add_remove) there.pop_back();
  }
};

class Gate {
 public:
  Gate(const model::Study& study, const std::string& amount)
      : study_(study),
        plan_(model::make_noise_plan(study, model::default_mechanism(study),
                                     Spend::parse(study.privacy.currency, amount))),
        ledger_(Ledger::rehearsal(
            {study.dataset, study.privacy, Spend(study.privacy.currency, std::int64_t{1} << 62)})) {}
  release::Release release(const std::vector<Record>& records) {
    return pass_gate({study_, plan_, false, infer::round_fit(study_)}, ledger_, entropy_,
                     [&](const model::Measurement& measurement) {
                       return Measured{
                           static_cast<std::int64_t>(records.size()), values_of(measurement, study_, records),
                           [&](const model::Measurement& next) { return values_of(next, study_, records); }};
                     });
  }
  [[nodiscard]] double cost() const { return plan_.cost.exact().get_d(); }

 private:
  const model::Study& study_;
  model::NoisePlan plan_;
  Ledger ledger_;
  Entropy entropy_;
};

double log_likelihood(const release::Release& made, const std::vector<Record>& records) {
  double out = 0;
  const auto exact = values_of(made.measurement(), made.study, records);
  for (std::size_t b = 0; b < exact.size(); ++b) {
    const release::MeasuredBlock& measured = made.blocks[b];
    if (measured.block.noise.kind == model::NoiseKind::exponential) {
      out += release::choice_log_probabilities(
          exact[b], measured.block.noise.parameter.get_d())[static_cast<std::size_t>(measured.values[0])];
      continue;
    }
    const release::NoiseLaw law = release::noise_law(measured.block.noise);
    for (std::size_t j = 0; j < exact[b].size(); ++j)
      out += release::log_pmf(law, static_cast<double>(measured.values[j] - exact[b][j]));
  }
  return out;
}

std::vector<double> ratios(const model::Study& study, const std::string& amount, const Neighbours& pair,
                           bool neighbour) {
  std::vector<double> out;
  constexpr std::size_t kBatch = 250;  // a ledger adds up its rows at every charge
  while (out.size() < kRuns) {
    Gate gate(study, amount);
    for (std::size_t i = 0; i < kBatch; ++i) {
      const release::Release made = gate.release(neighbour ? pair.there : pair.here);
      out.push_back(log_likelihood(made, pair.there) - log_likelihood(made, pair.here));
    }
  }
  return out;
}

/// The largest loss of one choice, in the currency: |log ratio|, or the Renyi divergence over its order.
double loss_of(const std::vector<double>& here, const std::vector<double>& there, Currency currency) {
  double most = 0;
  for (const double order : {1.1, 2.0, 4.0, 16.0}) {
    double sum = 0;
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (currency == Currency::pure) most = std::max(most, std::abs(here[i] - there[i]));
      sum += std::exp(order * here[i] + (1 - order) * there[i]);
    }
    if (currency == Currency::zcdp) most = std::max(most, std::log(sum) / (order - 1) / order);
  }
  return most;
}

class SelectionAudit
    : public testing::TestWithParam<std::tuple<model::Selection, model::Adjacency, Currency>> {};

/// Given the rounds before, every choice shows at most what it is charged.
TEST_P(SelectionAudit, EveryChoiceShowsAtMostWhatItIsCharged) {
  const auto& [select, adjacency, currency] = GetParam();
  const model::Study study = selected_study(select, adjacency, currency);
  const Neighbours pair(adjacency);
  Gate gate(study, "2");
  double nearest = 0;  // loss over charge
  for (int run = 0; run < 100; ++run) {
    const release::Release made = gate.release(pair.here);
    const auto here = values_of(made.measurement(), study, pair.here);
    const auto there = values_of(made.measurement(), study, pair.there);
    for (std::size_t b = 0; b < made.blocks.size(); ++b) {
      const model::Block& block = made.blocks[b].block;
      if (block.noise.kind != model::NoiseKind::exponential) continue;
      const double scale = block.noise.parameter.get_d();
      const double loss = loss_of(release::choice_log_probabilities(here[b], scale),
                                  release::choice_log_probabilities(there[b], scale), currency);
      const double charged = model::cost({{block}}, study.schema, study.privacy).get_d();
      EXPECT_LE(loss, charged * (1 + 1e-9));
      if (select == model::Selection::tree || block.statistic.as<model::CliqueScores>() != nullptr)
        nearest = std::max(nearest, loss / charged);
    }
  }
  EXPECT_GT(nearest, currency == Currency::pure ? 0.25 : 0.06) << "the audit has lost its sight";
}

/// Every selection, adjacency and currency twice.
class WholeSelectionAudit : public SelectionAudit {};

TEST_P(WholeSelectionAudit, ReleasesShowNoMoreThanTheCharge) {
  const auto& [select, adjacency, currency] = GetParam();
  const model::Study study = selected_study(select, adjacency, currency);
  const Neighbours pair(adjacency);
  const std::string amount = currency == Currency::pure ? "3" : "1";
  const auto found = assess::audit_lower_bound(ratios(study, amount, pair, false),
                                               ratios(study, amount, pair, true), currency, kAlpha);
  EXPECT_LE(found.lower, Gate(study, amount).cost());
}

std::string name_of(const testing::TestParamInfo<SelectionAudit::ParamType>& info) {
  const auto& [select, adjacency, currency] = info.param;
  return std::string(select == model::Selection::tree ? "tree" : "adaptive") +
         (adjacency == model::Adjacency::add_remove ? "_add_remove_" : "_replace_one_") +
         std::string(to_text(currency));
}

INSTANTIATE_TEST_SUITE_P(All, SelectionAudit,
                         testing::Combine(testing::Values(model::Selection::tree, model::Selection::adaptive),
                                          testing::Values(model::Adjacency::add_remove,
                                                          model::Adjacency::replace_one),
                                          testing::Values(Currency::pure, Currency::zcdp)),
                         name_of);

constexpr auto kAdd = model::Adjacency::add_remove;
constexpr auto kReplace = model::Adjacency::replace_one;
constexpr auto kTree = model::Selection::tree;
constexpr auto kAdaptive = model::Selection::adaptive;
INSTANTIATE_TEST_SUITE_P(Some, WholeSelectionAudit,
                         testing::Values(SelectionAudit::ParamType{kTree, kAdd, Currency::zcdp},
                                         SelectionAudit::ParamType{kTree, kReplace, Currency::pure},
                                         SelectionAudit::ParamType{kAdaptive, kAdd, Currency::pure},
                                         SelectionAudit::ParamType{kAdaptive, kReplace, Currency::zcdp}),
                         name_of);

}  // namespace
}  // namespace postern::owner
