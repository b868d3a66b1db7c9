#include "postern/core/log_concave.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "postern/core/special.hpp"

namespace postern {
namespace {

/// Any list of logarithms whose differences fall.
struct ListedLaw {
  std::vector<double> log_weight;
  [[nodiscard]] double step(double x) const { return log_ratio(x + 1, x); }
  [[nodiscard]] double log_ratio(double x, double from) const {
    return log_weight[static_cast<std::size_t>(x)] - log_weight[static_cast<std::size_t>(from)];
  }
};

/// 10^5 draws against the law by chi-square at 1e-6; cells of fewer than 10 expected draws are taken
/// together.
void expect_fits(const ListedLaw& law, std::uint32_t stream) {
  const auto most = static_cast<std::int64_t>(law.log_weight.size()) - 1;
  constexpr double kDraws = 1e5;
  std::vector<double> seen(law.log_weight.size(), 0.0);
  Rng rng(17, stream, Purpose::test);
  std::int64_t near = most / 3;
  for (int i = 0; i < static_cast<int>(kDraws); ++i) {
    near = draw_log_concave(law, 0, most, near, rng);
    ASSERT_TRUE(near >= 0 && near <= most);
    ++seen[static_cast<std::size_t>(near)];
  }
  const double norm = log_sum_exp(law.log_weight);
  double statistic = 0;
  double cells = 0;
  double few_seen = 0;
  double few_expected = 0;
  for (std::size_t x = 0; x < seen.size(); ++x) {
    const double expected = kDraws * std::exp(law.log_weight[x] - norm);
    if (expected < 10) {
      few_seen += seen[x];
      few_expected += expected;
      continue;
    }
    statistic += (seen[x] - expected) * (seen[x] - expected) / expected;
    ++cells;
  }
  if (few_expected > 10) {
    statistic += (few_seen - few_expected) * (few_seen - few_expected) / few_expected;
    ++cells;
  } else {
    EXPECT_LT(few_seen, 60);
  }
  if (cells > 1) {
    EXPECT_GT(chi_square_tail(statistic, cells - 1), 1e-6) << "stream " << stream;
  }
}

ListedLaw list(int count, double (*log_weight)(double)) {
  ListedLaw law;
  for (int x = 0; x < count; ++x) law.log_weight.push_back(log_weight(x));
  return law;
}

TEST(LogConcave, FitsLawsOfEveryShape) {
  std::uint32_t stream = 0;
  expect_fits(list(1, [](double) { return 0.0; }), ++stream);
  expect_fits(list(2, [](double x) { return -0.7 * x; }), ++stream);
  expect_fits(list(40, [](double) { return 3.0; }), ++stream);
  expect_fits(list(300, [](double x) { return -0.02 * x; }), ++stream);
  expect_fits(list(300, [](double x) { return 0.5 * x; }), ++stream);
  expect_fits(list(400, [](double x) { return -std::abs(x - 150.5) / 20; }), ++stream);
  expect_fits(list(400, [](double x) { return -(x - 60) * (x - 60) / 800; }), ++stream);
  expect_fits(list(200, [](double x) { return -2 * std::abs(x - 20) - (x - 90) * (x - 90) / 50; }), ++stream);
  expect_fits(list(101, [](double x) { return log_choose(100, x) - 1.5 * x; }), ++stream);
  expect_fits(list(101, [](double x) { return log_choose(100, x) - 800 * std::abs(x - 93); }), ++stream);
  // Flat for long, then steep: the guess from the steps beside the mode is far off.
  expect_fits(list(400, [](double x) { return x < 200 ? 0.0 : -0.5 * (x - 200); }), ++stream);
}

}  // namespace
}  // namespace postern
