// Scores of candidates from counts that are kept between rounds, against their definition.

#include <random>

#include <gtest/gtest.h>

#include "postern/model/statistic/clique_scores.hpp"
#include "postern/model/statistic/pair_scores.hpp"
#include "postern/model/statistic/table.hpp"
#include "postern/owner/measure.hpp"

namespace postern::owner {
namespace {

TEST(ScoreKernel, GivesWhatTheDefinitionsAddUpTo) {
  constexpr std::size_t kRows = 1000;
  const std::vector<std::uint32_t> levels{2, 3, 5};
  const std::vector<std::string> names{"a", "b", "c"};
  std::mt19937_64 random(7);
  std::vector<model::Column> declared;
  std::vector<CodedColumn> columns;
  std::vector<std::vector<std::uint32_t>> rows(kRows);
  for (std::size_t c = 0; c < levels.size(); ++c) {
    declared.push_back(
        {names[c], model::IntegerRange{0, levels[c] - 1, {}}, model::MapTo{0}, model::Clamp{}, true});
    columns.push_back(make_coded_column(levels[c]));
    for (std::vector<std::uint32_t>& row : rows) {
      row.push_back(static_cast<std::uint32_t>(random() % levels[c]));
      std::get<Wiped<std::uint8_t>>(columns.back()).push_back(static_cast<std::uint8_t>(row.back()));
    }
  }
  const model::Schema schema(declared);
  const Records records(names, levels, std::move(columns), kRows);
  const model::PairScores pairs{
      names, {{500, 500}, {300, 300, 400}, {200, 200, 200, 200, 200}}, kRows, {{0, 1}, {0, 2}, {1, 2}}};
  model::CliqueScores cliques{names, {{0, 2}, {0, 1, 2}}, std::vector<std::int64_t>(10 + 30, 40), {7, 0}};
  const model::Noise choice{model::NoiseKind::exponential, 1};
  const model::Measurement first{{{pairs, choice, 1}}};
  const model::Measurement second{{{cliques, choice, 1}, {model::Table{{"a", "c"}}, choice, 10}}};
  KeptCounts kept;
  for (const model::Measurement& measurement : {first, second, first}) {
    const auto measured = measure(records, schema, measurement, 1, kept);
    for (std::size_t b = 0; b < measurement.blocks.size(); ++b) {
      const model::Statistic& statistic = measurement.blocks[b].statistic;
      const auto tally = statistic.kind().tally(statistic, schema);
      const bool table = statistic.as<model::Table>() != nullptr;
      for (const auto& row : rows) tally->add(table ? std::vector{row[0], row[2]} : row, 1);
      EXPECT_EQ(measured[b], tally->values());
    }
  }
}

}  // namespace
}  // namespace postern::owner
