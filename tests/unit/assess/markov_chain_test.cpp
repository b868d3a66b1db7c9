// Made-up people who follow a chain, and what a chain's posterior says of people that it has not seen.

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "postern/assess/calibrate.hpp"
#include "postern/assess/outlook.hpp"
#include "postern/assess/simulate.hpp"
#include "postern/core/error.hpp"
#include "postern/infer/analysis.hpp"
#include "postern/infer/predict.hpp"
#include "postern/infer/synthesize.hpp"
#include "postern/infer/warnings/proportion.hpp"
#include "postern/model/sequences.hpp"

#include "chain_studies.hpp"

namespace postern::assess {
namespace {

constexpr std::size_t kDraws = 10;  // a chain, of two

model::Study three_states(std::optional<std::uint32_t> idle = {}) {
  return model::chain_study(
      {.states = 3, .last_time = 20, .at_most = 4, .parts = 10, .idle = idle, .n_at_most = 2000});
}

infer::Posterior posterior_of(const model::Study& study) {
  Rng rng(1, 1, Purpose::test);
  release::Release release = simulate_study(study, model::small_plan(study, 5), 1000, rng).release;
  release.release_id = release.ledger.record_set = std::string(32, 'a');
  infer::InferOptions options;
  options.chains = 2;
  options.draws = kDraws;
  return infer::analyse({&release, 1}, {}, options, {});
}

TEST(MarkovChainPeople, AreMeasuredAsTheirSequencesSay) {
  const model::Study study = three_states();
  Rng rng(1, 2, Purpose::test);
  const SimulatedStudy made = simulate_study(study, model::small_plan(study, 1'000'000), 1003, rng);
  std::vector<std::vector<Int128>> counts{std::vector<Int128>(3), std::vector<Int128>(9)};
  std::map<std::size_t, int> lengths;
  dynamic_cast<const model::SimulatedPeople&>(*made.records).for_each_person([&](auto rows) {
    ++lengths[rows.size() / 2];
    counts[0][rows[1]] += 10;
    for (std::size_t at = 2; at < rows.size(); at += 2) {
      EXPECT_EQ(rows[at], at / 2);
      counts[1][rows[at - 1] * 3 + rows[at + 1]] += 10;
    }
  });
  EXPECT_EQ(lengths, (std::map<std::size_t, int>{{5, 200}, {3, 1}}));  // four transitions each
  for (std::size_t block = 0; block < 2; ++block) EXPECT_EQ(made.release.blocks[block].values, counts[block]);
}

TEST(MarkovChainPeople, FollowTheMatrixThatIsAssumed) {
  const model::Study study = three_states(2);
  Rng rng(1, 3, Purpose::test);
  const std::vector<double> theta{1, 0, 0, 0, 0.5, 0.5, 0.25, 0.75, 0, 0.5, 0.5, 0};
  const SimulatedStudy made = simulate_study(study, model::small_plan(study, 1'000'000), 2000, theta, rng);
  const std::vector<Int128>& moves = made.release.blocks[1].values;
  for (std::size_t cell = 0; cell < 9; ++cell) EXPECT_EQ(moves[cell] == 0, theta[3 + cell] == 0) << cell;
  EXPECT_EQ(made.release.blocks[0].values, (std::vector<Int128>{4000, 0, 0}));
}

TEST(MarkovChainOutlook, WidthsShrinkFromThePriorsToThoseWithoutNoise) {
  const model::Study study = three_states(2);
  const auto outlook =
      look_ahead(study, model::small_plan(study, Rational(1, 2)),
                 {.n = 1500, .simulations = 4, .seconds = {}, .at = "P(next x = c1 | x = c0) 0.5"}, {});
  ASSERT_TRUE(outlook);
  EXPECT_FALSE(outlook->most_draws);
  const std::vector<WidthRow>& rows = outlook->width.rows;
  ASSERT_EQ(rows.size(), 12U);  // and none of n
  EXPECT_EQ(rows[4].label, "P(next x = c1 | x = c0)");
  EXPECT_EQ(rows[11].prior, 0);  // to stay idle is no transition
  for (std::size_t q = 0; q < 11; ++q) {
    EXPECT_LT(rows[q].median, rows[q].prior) << q;
    EXPECT_LT(rows[q].without_noise, rows[q].median) << q;
  }
}

TEST(MarkovChainOutlook, ForeseesWhatInferRefuses) {
  const model::Study study = model::chain_study({.states = 300, .last_time = 20, .n_at_most = 100'000});
  const model::NoisePlan plan = model::small_plan(study, 1);
  const auto outlook = look_ahead(study, plan, {}, {});
  ASSERT_TRUE(outlook && outlook->most_draws);
  EXPECT_EQ(*outlook->most_draws, (std::size_t{2} << 30) / (4 * 8 * 90'301));
  EXPECT_TRUE(outlook->width.rows.empty());
  const std::vector<Warning> warnings = infer::planned_proportion(study, plan.measurement, 10'000);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].name, "noise-outweighs-counts");
  EXPECT_NE(warnings[0].text.find("transitions"), std::string::npos);
}

TEST(MarkovChainCalibration, TheTruthIsAnywhereAmongTheDraws) {
  const Calibration found = calibrate(three_states(), model::small_plan(three_states(), 2),
                                      {.studies = 30, .draws = 49, .n = {}, .threads = 1}, {});
  EXPECT_EQ(found.quantities.size(), 12U);
  EXPECT_TRUE(found.passed()) << found.verdict();
}

/// P(x_{t + steps} = to | x_t = from) under a draw; from = 3 stands for the first state, after 0 steps.
double listed(const infer::Posterior& posterior, std::size_t draw, std::size_t from, int steps,
              std::size_t to) {
  const auto p = [&](std::size_t row, std::size_t cell) {
    return posterior.draws[draw / kDraws][(row * 3 + cell) * kDraws + draw % kDraws];
  };
  if (from == 3) return p(0, to);
  if (steps == 1) return p(1 + from, to);
  double sum = 0;
  for (std::size_t via = 0; via < 3; ++via)
    sum += p(1 + from, via) * listed(posterior, draw, via, steps - 1, to);
  return sum;
}

TEST(MarkovChainPrediction, IsARowOfTheMatrixOrOfItsPower) {
  const infer::Posterior posterior = posterior_of(three_states());
  // Person 0 at times 3, 4 and 7; at 5 two records disagree, at 6 nothing is known. A row without an id.
  infer::Rows rows{2, {4, 1, 3, 0, 7, 2, 5, 0, 5, 1, 6, -1, 4, 1}, {}, {0, 0, 0, 0, 0, 0, -1}};
  const infer::Predictions found = predict(posterior, rows, {{}, 1000, 1}, {});
  ASSERT_EQ(found.target, "x");
  struct Case {
    std::size_t row, from;
    int steps;
  };
  for (const Case& one : {Case{0, 0, 1}, {1, 3, 0}, {2, 1, 3}, {3, 1, 1}, {4, 1, 1}, {5, 1, 2}, {6, 3, 0}}) {
    for (std::size_t to = 0; to < 3; ++to) {
      double mean = 0;
      for (std::size_t d = 0; d < 2 * kDraws; ++d)
        mean += listed(posterior, d, one.from, one.steps, to) / (2 * kDraws);
      if (one.steps <= 1) mean = posterior.summary[(one.from == 3 ? 0 : 1 + one.from) * 3 + to].mean;
      EXPECT_NEAR(found.probability[one.row * 3 + to], mean, 1e-14) << one.row << ' ' << to;
    }
  }
  EXPECT_EQ(found.judged, 5U);  // not the empty one, nor nobody's
  const auto p = [&](std::size_t row, std::size_t to) { return found.probability[row * 3 + to]; };
  const double loss = -std::log(p(0, 1) * p(1, 0) * p(2, 2) * p(3, 0) * p(4, 1)) / 5;
  EXPECT_NEAR(*found.log_loss, loss, 1e-14);
}

TEST(MarkovChainPrediction, RowsThatStayIdleAreNotJudged) {
  const infer::Posterior posterior = posterior_of(three_states(2));
  const infer::Rows rows{2, {0, 2, 1, 2, 2, 0}, {}, {0, 0, 0}};
  const infer::Predictions found = predict(posterior, rows, {{}, 1000, 1}, {});
  EXPECT_EQ(found.judged, 2U);
  EXPECT_EQ(found.probability[3 + 2], 0);
  const infer::Rows nobody{2, {0, 2}, {}, {-1}};
  EXPECT_THROW((void)predict(posterior, nobody, {{}, 1000, 1}, {}), Error);
  EXPECT_THROW((void)predict(posterior, rows, {"t", 1000, 1}, {}), Error);
}

TEST(MarkovChainSynthesis, PeopleFollowTheMean) {
  const infer::Posterior posterior = posterior_of(three_states());
  constexpr std::size_t kRecords = 60'001;
  const infer::Synthetic made =
      synthesize(posterior, {.records = kRecords, .plug_in = true, .seed = 3, .length = 6}, {});
  EXPECT_EQ(made.names(), (std::vector<std::string>{"id", "t", "x"}));
  const std::vector<std::uint32_t>& x = made.datasets[0];
  std::vector<double> counts(12);
  for (std::size_t i = 0; i < kRecords; ++i) {
    EXPECT_EQ(x[2 * i], i % 6);
    ++counts[(i % 6 == 0 ? 0 : 1 + x[2 * i - 1]) * 3 + x[2 * i + 1]];
  }
  for (std::size_t row = 0; row < 4; ++row) {
    const double total = counts[row * 3] + counts[row * 3 + 1] + counts[row * 3 + 2];
    for (std::size_t q = row * 3; q < row * 3 + 3; ++q) {
      const double wanted = posterior.summary[q].mean;  // 5.5 standard errors: alpha 1e-6 in all
      EXPECT_NEAR(counts[q] / total, wanted, 5.5 * std::sqrt(wanted / total) + 1e-9) << q;
    }
  }
  EXPECT_EQ(synthetic_fields(made, 0, 0)[6], "2");
  EXPECT_EQ(synthesize(posterior, {.records = 50}, {}).length, 5U);  // four transitions
  EXPECT_THROW((void)synthesize(posterior, {.records = 50, .length = 22}, {}), Error);
}

}  // namespace
}  // namespace postern::assess
