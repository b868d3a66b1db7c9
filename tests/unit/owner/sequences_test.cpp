#include <algorithm>
#include <random>

#include "postern/model/plan.hpp"
#include "postern/owner/source.hpp"

#include "chain_studies.hpp"
#include "csv_support.hpp"
#include "people_support.hpp"

namespace postern::owner {
namespace {

std::vector<std::vector<Int128>> measured(const std::vector<std::string>& lines, const model::Study& study) {
  std::string content = "id,t,x\n";
  for (const std::string& line : lines) content += line + "\n";
  const TemporaryFile file(content);
  const model::NoisePlan plan = model::small_plan(study, Rational(1));
  return open_csv(file.path(), study, 1)(plan.measurement).blocks;
}

TEST(Sequences, AreReadPersonByPersonInTheOrderOfTime) {
  const model::Study study = model::chain_study({.states = 3, .at_most = 9});
  const std::vector<std::string> lines{"bob,2,c1", "ann,1,c1", "bob,1,c2", "ann,0,c0", "ann,2,c1"};
  const auto blocks = measured(lines, study);
  EXPECT_EQ(blocks[0], (std::vector<Int128>{1, 0, 1}));                    // ann begins at c0, bob at c2
  EXPECT_EQ(blocks[1], (std::vector<Int128>{0, 1, 0, 0, 1, 0, 0, 1, 0}));  // 0-1, 1-1; 2-1
}

TEST(Sequences, DoNotDependOnWhereTheirRowsStand) {
  const model::Study study = model::chain_study({.states = 3, .last_time = 20, .at_most = 4, .parts = 100});
  std::mt19937 shuffler(1);
  std::vector<std::string> lines;
  for (int person = 0; person < 20; ++person) {
    for (int row = 0; row < 15; ++row)
      lines.push_back("p" + std::to_string(person) + "," + std::to_string(shuffler() % 22) + ",c" +
                      std::to_string(shuffler() % 4));
  }
  const auto before = measured(lines, study);
  std::shuffle(lines.begin(), lines.end(), shuffler);
  EXPECT_EQ(measured(lines, study), before);
}

TEST(Sequences, LoseRowsWithoutAnIdOrATime) {
  const model::Study study = model::chain_study({.at_most = 9});
  const auto blocks =
      measured({"ann,0,c0", ",1,c1", "ann,,c1", "ann,1,zebra", "ann,9,c1", "ann,1,c0", "x"}, study);
  EXPECT_EQ(blocks[0], (std::vector<Int128>{1, 0}));
  EXPECT_EQ(blocks[1], (std::vector<Int128>{1, 0, 0, 0}));
}

TEST(Sequences, AnotherPersonChangesNobodysWeights) {
  const model::Study study = model::chain_study({.states = 3, .last_time = 30, .at_most = 3, .parts = 50});
  std::mt19937 rng(2);
  const auto person = [&](const std::string& id) {
    std::vector<std::string> lines;
    for (int t = 0; t < 30; ++t)
      lines.push_back(id + "," + std::to_string(t) + ",c" + std::to_string(rng() % 3));
    return lines;
  };
  std::vector<std::string> lines = person("ann");
  const auto alone = measured(lines, study);
  const auto other = person("bob");
  const auto other_alone = measured(other, study);
  lines.insert(lines.begin() + 7, other.begin(), other.end());
  const auto both = measured(lines, study);
  for (std::size_t b = 0; b < both.size(); ++b) {
    for (std::size_t i = 0; i < both[b].size(); ++i) EXPECT_EQ(both[b][i], alone[b][i] + other_alone[b][i]);
  }
}

}  // namespace
}  // namespace postern::owner
