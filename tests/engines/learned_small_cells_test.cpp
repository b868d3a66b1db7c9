// What tells that the learned prior takes small cells for emptier than they are, and a table of independent
// columns where nothing is to be told. Values are fixed by the seed: nothing here is left to chance.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "postern/assess/simulate.hpp"
#include "postern/core/rng.hpp"
#include "postern/infer/counts/expected_cells.hpp"
#include "postern/infer/counts/learned_table.hpp"
#include "postern/infer/infer.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/release/noise_law.hpp"

#include "small_studies.hpp"

namespace postern::infer {
namespace {

constexpr std::uint32_t kRows = 8;
constexpr std::uint32_t kLevels = 40;

model::Study two_columns() {
  model::Study study = model::small_study({.levels = 3});
  study.schema = model::Schema({model::plain_column("a", kRows), model::plain_column("b", kLevels)});
  study.model = model::Categorical{{"a", "b"}, std::vector<Rational>(kRows * kLevels, 1)};
  study.model = study.model.kind().with_learned_prior(study.model);
  return study;
}

/// Does the posterior of a release of these counts tell of small cells?
bool told(const std::vector<std::int64_t>& counts) {
  const model::Study study = two_columns();
  const model::NoisePlan plan = model::small_plan(study, Rational(1, 10));
  std::int64_t n = 0;
  for (const std::int64_t count : counts) n += count;
  Rng rng(63, 0, Purpose::test);
  model::Assumed theta;
  const release::NoiseLaw law = release::DiscreteLaplace(0.05);  // of epsilon .1 where one record may change
  release::Release made = assess::simulate_study(study, plan, n, theta, rng).release;
  for (std::size_t cell = 0; cell < counts.size(); ++cell)
    made.blocks.at(0).values.at(cell) = counts[cell] + release::simulate(law, rng);
  InferOptions options;
  options.draws = 100;
  options.threads = 1;
  const Posterior posterior = infer(std::vector{std::move(made)}, options, {});
  return std::ranges::any_of(posterior.notes, [](const std::string& note) {
    return note.find("emptier than they are") != std::string::npos;
  });
}

/// Two rows of 2 x 24 cells, noise of sd 2: five cells are expected, and got 15 records more than was
/// released; all others got as many.
TEST(LearnedTableSmallCells, AreToldByWhatExpectedCellsGot) {
  LearnedTable table;
  table.sizes = {2, 24};
  const release::NoiseLaw law = release::DiscreteGaussian(4);
  std::vector<std::int64_t> counts(48, 0);
  for (const std::size_t cell : {0, 1, 24, 25, 26}) counts[cell] = 40;
  for (const std::int64_t count : counts)
    table.noisy_values.push_back({{static_cast<double>(count == 0 ? 0 : count - 3), law}});
  ExpectedCells cells(table, 2);
  cells.add(0, counts);
  cells.add(1, counts);
  const auto excess = cells.result();
  ASSERT_TRUE(excess);
  // Level 2 is expected in the row without records there, too.
  EXPECT_EQ(excess->cells, 6);
  EXPECT_EQ(excess->records, 15);
  const double sd = std::sqrt(release::variance(law));
  EXPECT_NEAR(excess->sds, 15 / sd * (1 - 6. / 48) / std::sqrt(6 * (1 - 6. / 48)), 1e-12);
}

TEST(LearnedTableSmallCells, AreNotToldOfFewCells) {
  LearnedTable table;
  table.sizes = {2, 8};
  table.noisy_values.assign(16, {{0.0, release::NoiseLaw(release::DiscreteGaussian(4))}});
  ExpectedCells cells(table, 1);
  cells.add(0, std::vector<std::int64_t>{90, 0, 0, 0, 0, 0, 0, 0, 90, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_FALSE(cells.result());
}

TEST(LearnedTableSmallCells, AreNotToldWhereRowsAreAlike) {
  std::vector<std::int64_t> counts(kRows * kLevels, 7);
  for (std::uint32_t row = 0; row < kRows; ++row) counts[row * kLevels] = 400;
  EXPECT_FALSE(told(counts));
}

/// Tables that would take minutes are known by their size.
TEST(LearnedTableForecast, GrowsWithColumns) {
  const auto binary = [](std::size_t columns) {
    LearnedTable table;
    table.sizes.assign(columns, 2);
    table.n = 300;
    const release::NoiseLaw law = release::DiscreteLaplace(0.5);
    table.noisy_values.assign(std::size_t{1} << columns, {{0.0, law}});
    return LearnedPosterior::forecast_seconds(table, 4000);
  };
  EXPECT_LT(binary(8), 5);
  EXPECT_LT(binary(12), 60);
  EXPECT_GT(binary(16), 60);
}

}  // namespace
}  // namespace postern::infer
