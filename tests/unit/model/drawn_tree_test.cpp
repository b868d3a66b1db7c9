// The truth of simulated studies whose release chooses a tree.

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "postern/core/rng.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/rounds.hpp"
#include "postern/model/settles.hpp"

#include "markov_studies.hpp"

namespace postern::model {
namespace {

const SettlesModel* rule_of(const Study& study) {
  return dynamic_cast<const SettlesModel*>(
      study.model.kind().round_rule(study, {default_mechanism(study), {}}));
}

Study choosing_study(Selection select) {
  Study study = markov_study({2, 2, 2, 2}, {{0}});
  MarkovNet net = study.model.get<MarkovNet>();
  net.cliques.clear();
  net.select = select;
  study.model = std::move(net);
  return study;
}

/// Sixteen trees of four columns: chi-square with 15 degrees of freedom is past 56.5 once in a million times.
TEST(DrawnTree, EveryTreeIsAsLikely) {
  constexpr int kDraws = 16000;
  const Study study = choosing_study(Selection::tree);
  Rng rng(1, 0, Purpose::test);
  std::map<std::vector<graph::Variables>, int> seen;
  for (int i = 0; i < kDraws; ++i) {
    const auto net = rule_of(study)->drawn(study, rng)->get<MarkovNet>();
    EXPECT_EQ(net.select, Selection::none);
    ASSERT_EQ(net.cliques.size(), 7U);  // three pairs, four columns
    std::vector<graph::Variables> pairs(net.cliques.begin(), net.cliques.begin() + 3);
    std::sort(pairs.begin(), pairs.end());
    ++seen[pairs];
  }
  ASSERT_EQ(seen.size(), 16U);
  double chi_square = 0;
  for (const auto& [tree, count] : seen) chi_square += (count - 1000.0) * (count - 1000.0) / 1000.0;
  EXPECT_LT(chi_square, 56.5);
}

TEST(DrawnTree, AnAdaptiveSelectionHasNoPrior) {
  Study study = choosing_study(Selection::adaptive);
  Rng rng(1, 0, Purpose::test);
  EXPECT_FALSE(rule_of(study)->drawn(study, rng).has_value());
}

}  // namespace
}  // namespace postern::model
