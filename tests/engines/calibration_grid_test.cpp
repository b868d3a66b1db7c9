#include "calibration_grid.hpp"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "postern/assess/calibrate.hpp"
#include "postern/model/number_family.hpp"

#include "small_studies.hpp"

// Simulation-based calibration of the engine that an analyst gets unasked, family by family. With a right
// posterior the distance of the ranks from uniform exceeds 2.70/sqrt(M) with probability 1e-6 a quantity.

namespace postern::grid {
namespace {

/// Fixed in CI, fresh in long runs.
std::uint64_t seed() {
  const char* text = std::getenv("POSTERN_SEED");
  return text == nullptr ? 20261116 : std::strtoull(text, nullptr, 10);
}

void expect_calibrated(const Cell& cell, std::size_t studies) {
  const model::Study study = study_of(cell);
  assess::CalibrateOptions options;
  options.studies = studies;
  options.draws = draws_of(cell);
  options.seed = seed();
  if (cell.adjacency == model::Adjacency::replace_one) options.n = cell.n;
  const assess::Calibration found =
      assess::calibrate(study, model::small_plan(study, cell.epsilon), options, {});
  testing::Test::RecordProperty("ks_limit", std::to_string(found.ks_limit()));
  for (const auto& quantity : found.quantities) {
    EXPECT_LT(quantity.ks, found.ks_limit()) << quantity.name << ", seed " << options.seed;
    testing::Test::RecordProperty("ks_" + quantity.name, std::to_string(quantity.ks));
  }
}

std::string name_of_test(const testing::TestParamInfo<Cell>& one) { return name_of(one.param); }

class GridCalibration : public testing::TestWithParam<Cell> {};
TEST_P(GridCalibration, RanksAreUniform) { expect_calibrated(GetParam(), kStudies); }
INSTANTIATE_TEST_SUITE_P(Some, GridCalibration, testing::ValuesIn(some_cells()), name_of_test);

class FullGridCalibration : public testing::TestWithParam<Cell> {};
TEST_P(FullGridCalibration, RanksAreUniform) { expect_calibrated(GetParam(), studies_at_length(GetParam())); }
INSTANTIATE_TEST_SUITE_P(Long, FullGridCalibration, testing::ValuesIn(all_cells()), name_of_test);

TEST(CalibrationGrid, HoldsEveryFamily) {
  const std::vector<Setting> known = settings();
  ASSERT_EQ(known.size(), model::number_families().size() + 3);
  for (const model::NumberFamily& family : model::number_families()) {
    EXPECT_TRUE(std::any_of(known.begin(), known.end(), [&](const auto& s) {
      return s.family == family.name;
    })) << family.name;
  }
}

TEST(CalibrationGrid, SomeHoldEveryFamilySizeEpsilonAndAdjacency) {
  const std::vector<Cell> some = some_cells();
  EXPECT_GE(some.size(), 40u);
  for (const Cell& one : all_cells()) {
    const auto holds = [&](auto same) {
      return std::any_of(some.begin(), some.end(), [&](const Cell& other) { return same(one, other); });
    };
    EXPECT_TRUE(holds([](const Cell& a, const Cell& b) { return a.setting == b.setting; }));
    EXPECT_TRUE(holds([](const Cell& a, const Cell& b) { return a.n == b.n && a.adjacency == b.adjacency; }));
    EXPECT_TRUE(holds(
        [](const Cell& a, const Cell& b) { return a.epsilon == b.epsilon && a.adjacency == b.adjacency; }));
    EXPECT_TRUE(holds([](const Cell& a, const Cell& b) { return a.n == b.n && a.epsilon == b.epsilon; }));
  }
}

}  // namespace
}  // namespace postern::grid
