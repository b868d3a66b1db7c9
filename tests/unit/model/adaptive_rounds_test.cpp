// The rounds of an adaptive selection, gone through with made-up values and candidates.

#include <algorithm>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/kinds/markov_selection.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/rounds.hpp"
#include "postern/model/settles.hpp"
#include "postern/model/statistic/clique_scores.hpp"
#include "postern/model/statistic/pair_scores.hpp"
#include "postern/model/statistic/table.hpp"

#include "markov_studies.hpp"

namespace postern::model {
namespace {

struct Shape {
  std::size_t columns = 5;
  std::size_t more = 3;
  std::size_t most_cells = 1000;
  Adjacency adjacency = Adjacency::add_remove;
  Currency currency = Currency::zcdp;
};

Study adaptive_study(const Shape& shape) {
  Study study =
      markov_study(std::vector<std::uint32_t>(shape.columns, 2), {{0}}, shape.adjacency, shape.currency);
  MarkovNet net = study.model.get<MarkovNet>();
  net.cliques.clear();
  net.select = Selection::adaptive;
  net.more_pairs = shape.more;
  net.most_cells = shape.most_cells;
  study.model = std::move(net);
  return study;
}

/// All pairs that were not measured, each expected to be even.
std::vector<Int128> even_candidates(const SelectionState& state) {
  std::vector<PairCandidate> out;
  const graph::UndirectedGraph graph = graph_of(state.measured);
  for (std::uint32_t a = 0; a < graph.size(); ++a) {
    for (std::uint32_t b = a + 1; b < graph.size(); ++b) {
      if (!graph.connected(a, b)) out.push_back({a, b, 1, {5, 5, 5, 5}});
    }
  }
  return write_candidates(out);
}

/// What a gate would publish: ten records in every cell, the first candidate always.
class Walk {
 public:
  Walk(const Study& study, const Spend& charge) : study_(study), charge_(charge) {}
  bool step() {
    const Request request{default_mechanism(study_), {}};
    const auto next = next_round(study_, request, charge_, rounds());
    if (!next) return false;
    std::vector<MeasuredBlock>& made = blocks_.emplace_back();
    for (const Block& block : next->blocks) {
      const bool choice = block.noise.kind == NoiseKind::exponential;
      made.push_back({block, std::vector<Int128>(block.size, choice ? 0 : 10)});
    }
    tables_.emplace_back();
    const auto state = awaited_candidates(study_, charge_.exact(), rounds());
    if (state) tables_.back() = even_candidates(*state);
    return true;
  }
  [[nodiscard]] std::vector<PublishedRound> rounds() const {
    std::vector<PublishedRound> out;
    for (std::size_t r = 0; r < blocks_.size(); ++r) out.push_back({blocks_[r], tables_[r]});
    return out;
  }
  [[nodiscard]] Rational spent() const {
    Rational out = 0;
    for (const PublishedRound& round : rounds()) out += cost(round, study_);
    return out;
  }
  std::vector<Int128>& last_table() { return tables_.back(); }
  std::vector<MeasuredBlock>& last_blocks() { return blocks_.back(); }
  [[nodiscard]] MarkovNet settled() const {
    const auto* rule = dynamic_cast<const SettlesModel*>(study_.model.kind().round_rule(study_, {}));
    return rule->settled(study_, rounds()).get<MarkovNet>();
  }

 private:
  const Study& study_;
  Spend charge_;
  std::vector<std::vector<MeasuredBlock>> blocks_;
  std::vector<std::vector<Int128>> tables_;
};

TEST(AdaptiveRounds, SpendTheChargeAndNoMore) {
  for (const Currency currency : {Currency::pure, Currency::zcdp}) {
    for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::replace_one}) {
      const Study study = adaptive_study({.adjacency = adjacency, .currency = currency});
      const Spend charge = Spend::parse(currency, "0.3");
      const NoisePlan plan = make_noise_plan(study, default_mechanism(study), charge);
      EXPECT_EQ(plan.rounds->rule, "markov-adaptive");
      EXPECT_EQ(plan.rounds->at_most, 6u + 2 * 3);
      Walk walk(study, charge);
      while (walk.step()) {
      }
      EXPECT_EQ(walk.rounds().size(), 12u);
      EXPECT_LE(walk.spent(), charge.exact());
      EXPECT_GT(walk.spent(), charge.exact() * Rational(999'999, 1'000'000));
      const MarkovNet net = walk.settled();
      EXPECT_EQ(net.cliques.size(), 5u + 4u + 3u);
      EXPECT_EQ(net.select, Selection::none);
    }
  }
}

TEST(AdaptiveRounds, ChooseSeveralAtOnceWhereManyAreWanted) {
  const Study study = adaptive_study({.columns = 12, .more = 50});
  const Spend charge = Spend::parse(Currency::zcdp, "1");
  Walk walk(study, charge);
  std::size_t most = 0;
  while (walk.step()) {
    for (const MeasuredBlock& one : walk.last_blocks())
      most = std::max<std::size_t>(
          most, one.block.statistic.as<CliqueScores>() != nullptr ? walk.last_blocks().size() : 0);
  }
  EXPECT_EQ(most, 3u);
  EXPECT_LE(walk.spent(), charge.exact());
  const MarkovNet net = walk.settled();
  EXPECT_LE(quick_cells(net), 1000) << "the limit of the junction tree holds";
}

TEST(AdaptiveRounds, EndWhereNothingFits) {
  const Study study = adaptive_study({.most_cells = 15});  // fewer than the tree itself has
  Walk walk(study, Spend::parse(Currency::zcdp, "1"));
  while (walk.step()) {
  }
  EXPECT_EQ(walk.rounds().size(), 7u) << "what a choice chose did not fit";
  EXPECT_EQ(walk.settled().cliques.size(), 9u);
}

TEST(AdaptiveRounds, RefuseTablesThatAreNone) {
  const Study study = adaptive_study({});
  Walk walk(study, Spend::parse(Currency::zcdp, "1"));
  for (int i = 0; i < 6; ++i) ASSERT_TRUE(walk.step());
  const std::vector<Int128> right = walk.last_table();
  ASSERT_GT(right.size(), 10u);
  const std::vector<std::vector<Int128>> wrong{{},
                                               {1},
                                               {-1},
                                               {1, 0, 1, 0, 1, 1, 1},
                                               {1, 0, 1, 0, 1, 1, 1, -1},
                                               {1, 1, 0, 0, 1, 1, 1, 1},
                                               {1, 0, 9, 0, 1, 1, 1, 1},
                                               {1, 0, 1, 0, 1, 1, 1, 1, 1}};
  for (const std::vector<Int128>& table : wrong) {
    walk.last_table() = table;
    EXPECT_THROW(static_cast<void>(walk.step()), Error);
  }
  walk.last_table() = {0};
  EXPECT_FALSE(walk.step()) << "no candidates: the end";
  walk.last_table() = right;
  EXPECT_TRUE(walk.step());
  walk.last_blocks()[0].values[0] = 99;
  EXPECT_THROW(static_cast<void>(walk.step()), Error);
}

}  // namespace
}  // namespace postern::model
