// What an adaptive selection is told of pairs: the tables of a fitted network, against a sum over all states.

#include <cmath>

#include <gtest/gtest.h>

#include "postern/graph/domain.hpp"
#include "postern/infer/markov/estimate.hpp"
#include "postern/infer/round_fit.hpp"
#include "postern/model/kinds/markov_selection.hpp"
#include "postern/model/plan.hpp"
#include "postern/release/rounds.hpp"

#include "kinds/markov_net/problem.hpp"
#include "markov_studies.hpp"

namespace postern::infer {
namespace {

using model::MarkovNet;

model::Study adaptive_study(std::size_t most_cells) {
  model::Study study =
      model::markov_study({2, 3, 2, 4}, {{0}}, model::Adjacency::replace_one, Currency::pure);
  MarkovNet net = study.model.get<MarkovNet>();
  net.cliques.clear();
  net.select = model::Selection::adaptive;
  net.more_pairs = 2;
  net.most_cells = most_cells;
  study.model = std::move(net);
  return study;
}

/// The rounds of a tree, as a gate would publish them: made-up counts, the first candidate always.
release::Release tree_measured(const model::Study& study) {
  const model::NoisePlan plan = model::make_noise_plan(study, model::default_mechanism(study),
                                                       Spend::parse(study.privacy.currency, "10"));
  release::Release out;
  out.study = study;
  out.request = plan.request;
  out.cost = plan.cost;
  out.n = release::PublicCount{400};
  out.rounds = release::Rounds{*plan.rounds, {}};
  Rng rng(20261118, 2, Purpose::test);
  for (std::size_t round = 0; round < 5; ++round) {
    const auto next = model::next_round(study, out.request, out.cost, release::published_rounds(out));
    std::vector<release::MeasuredBlock> made;
    for (const model::Block& block : next->blocks) {
      std::vector<Int128> values;
      for (std::size_t i = 0; i < block.size; ++i)
        values.push_back(block.noise.kind == model::NoiseKind::exponential ? 0
                                                                           : static_cast<int>(rng() % 100));
      made.push_back({block, std::move(values)});
    }
    release::add_round(out, std::move(made));
  }
  return out;
}

TEST(CandidatePairs, ExpectWhatTheFittedNetworkHas) {
  const model::Study study = adaptive_study(1000);
  const release::Release so_far = tree_measured(study);
  const auto state = model::awaited_candidates(study, so_far.cost.exact(), release::published_rounds(so_far));
  ASSERT_TRUE(state);
  const std::vector<Int128> table = round_fit(study)(so_far);
  EXPECT_EQ(table, round_fit(study)(so_far)) << "the same for the same release";
  const std::vector<model::PairCandidate> found = model::read_candidates(table, state->measured);
  EXPECT_EQ(found.size(), 3u) << "six pairs, of which the tree has three";

  MarkovOptions how;
  how.prior_variance = 1;
  how.tolerance = 1;
  const MarkovFit fit =
      estimate_markov(markov_problem(state->measured, {&so_far}), MarkovEstimator::na_map, how, {});
  const graph::Sizes& levels = state->measured.levels;
  const graph::Domain domain = study.schema.domain(state->measured.columns);
  for (const model::PairCandidate& one : found) {
    EXPECT_FALSE(model::graph_of(state->measured).connected(one.first, one.second));
    std::vector<double> expected(one.expected.size());
    for (std::size_t x = 0; x < domain.cells(); ++x) {
      const std::vector<std::uint32_t> state_levels = domain.levels_of(x);
      double log_weight = -fit.log_partition;
      for (std::size_t c = 0; c < fit.model->cliques().size(); ++c) {
        std::size_t cell = 0;
        for (const std::uint32_t v : fit.model->cliques()[c]) cell = cell * levels[v] + state_levels[v];
        log_weight += fit.theta[fit.model->offset(c) + cell];
      }
      expected[state_levels[one.first] * levels[one.second] + state_levels[one.second]] +=
          fit.total * std::exp(log_weight);
    }
    for (std::size_t cell = 0; cell < expected.size(); ++cell)
      EXPECT_NEAR(static_cast<double>(one.expected[cell]), expected[cell], 0.5 + 1e-6);
    EXPECT_GT(one.handicap, 0);
  }
}

TEST(CandidatePairs, KeepToTheLimitOfTheJunctionTree) {
  const model::Study study = adaptive_study(1);
  const release::Release so_far = tree_measured(study);
  EXPECT_EQ(round_fit(study)(so_far), std::vector<Int128>{0}) << "no pair fits";
}

TEST(CandidatePairs, AreNotAskedForBeforeTheTree) {
  const model::Study study = adaptive_study(1000);
  release::Release so_far = tree_measured(study);
  so_far.blocks.resize(4);
  so_far.rounds->made.resize(1);
  EXPECT_TRUE(round_fit(study)(so_far).empty());
}

}  // namespace
}  // namespace postern::infer
