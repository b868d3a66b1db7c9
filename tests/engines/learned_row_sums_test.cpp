#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/rng.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/counts/learned_table.hpp"
#include "postern/release/noise_law.hpp"

#include "ranks.hpp"

// Rows of many wide counts, whose sums are added up by transforms and drawn by rejection, against sums that
// are added up term by term.

namespace postern::infer {
namespace {

using release::DiscreteLaplace;
using release::NoiseLaw;

constexpr std::uint32_t kLevels = 12;
constexpr std::int64_t kN = 500;

/// One row whose counts are seen through much noise.
LearnedTable wide_row() {
  const NoiseLaw law = DiscreteLaplace(1.0 / 25);
  Rng rng(61, 0, Purpose::test);
  LearnedTable table;
  table.sizes = {kLevels};
  table.n = kN;
  for (std::uint32_t v = 0; v < kLevels; ++v) {
    const double s = v == 0 ? 300 : v == 1 ? 120 : v < 6 ? 20 : 0;
    table.noisy_values.push_back({{s + static_cast<double>(release::simulate(law, rng)), law}});
  }
  return table;
}

/// Weights of all counts of one cell at one concentration: negative binomial, so that none overflows.
std::vector<double> weights(const LearnedTable& table, std::size_t cell, double concentration) {
  const double a = concentration / kLevels;
  const double p = kN / (kN + concentration);
  const NoisyValue& value = table.noisy_values[cell].front();
  std::vector<double> out;
  for (std::int64_t s = 0; s <= kN; ++s) {
    const auto x = static_cast<double>(s);
    out.push_back(std::exp(log_gamma(x + a) - log_gamma(a) - log_factorial(x) + x * std::log(p) +
                           a * std::log1p(-p) + release::log_pmf(value.law, value.y - x)));
  }
  return out;
}

/// Sums up to n of all cells but one (or of all).
std::vector<double> added_up(const LearnedTable& table, double concentration, std::size_t without) {
  std::vector<double> sum(kN + 1, 0.0);
  sum[0] = 1;
  for (std::size_t cell = 0; cell < kLevels; ++cell) {
    if (cell == without) continue;
    const std::vector<double> one = weights(table, cell, concentration);
    std::vector<double> next(kN + 1, 0.0);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      for (std::size_t j = 0; i + j < next.size(); ++j) next[i + j] += sum[i] * one[j];
    }
    sum = std::move(next);
  }
  return sum;
}

/// log of n! Gamma(A) / Gamma(n + A) without what the weights have of it, and of the grid's even law.
double log_row(double concentration, std::size_t grid) {
  const auto n = static_cast<double>(kN);
  const double p = n / (n + concentration);
  return log_factorial(n) + log_gamma(concentration) - log_gamma(concentration + n) - n * std::log(p) -
         concentration * std::log1p(-p) - std::log(static_cast<double>(grid));
}

TEST(LearnedRowSums, HaveTheEvidenceOfSumsTermByTerm) {
  const LearnedTable table = wide_row();
  const std::vector<double> grid = concentrations(kLevels, 1);
  std::vector<double> terms;
  for (const double a : grid)
    terms.push_back(std::log(added_up(table, a, kLevels)[kN]) + log_row(a, grid.size()));
  const LearnedCounts counts(table, even_centres(table), kN, kN);
  EXPECT_NEAR(counts.log_evidence(kN), log_sum_exp(terms), 1e-9);
}

TEST(LearnedRowSums, DrawCountsAsOftenAsTheirProbability) {
  const LearnedTable table = wide_row();
  const std::vector<double> grid = concentrations(kLevels, 1);
  const LearnedCounts counts(table, even_centres(table), kN, kN);
  constexpr std::size_t kDraws = 20'000;
  Rng rng(62, 0, Purpose::test);
  std::vector<std::vector<double>> seen(kLevels, std::vector<double>(kN + 1));
  LearnedDraw draw;
  draw.n = kN;
  for (std::size_t i = 0; i < kDraws; ++i) {
    counts.draw(draw, rng);
    for (std::size_t v = 0; v < kLevels; ++v) ++seen[v][static_cast<std::size_t>(draw.counts[v])];
  }
  for (const std::size_t cell : {std::size_t{0}, std::size_t{3}, std::size_t{11}}) {
    std::vector<double> p(kN + 1, 0.0);
    for (const double a : grid) {
      const std::vector<double> others = added_up(table, a, cell);
      const std::vector<double> mine = weights(table, cell, a);
      const double scale = std::exp(log_row(a, grid.size()));
      for (std::size_t s = 0; s < p.size(); ++s) p[s] += scale * mine[s] * others[kN - s];
    }
    double whole = 0;
    for (const double x : p) whole += x;
    double statistic = 0;
    double bins = 0;
    double expected = 0;
    double counted = 0;
    for (std::size_t s = 0; s < p.size(); ++s) {
      expected += p[s] / whole * static_cast<double>(kDraws);
      counted += seen[cell][s];
      if (expected < 50) continue;
      statistic += (counted - expected) * (counted - expected) / expected;
      ++bins;
      expected = counted = 0;
    }
    EXPECT_GT(bins, 10) << cell;
    EXPECT_GT(chi_square_tail(statistic, bins), 1e-6 / 3) << cell;
  }
}

}  // namespace
}  // namespace postern::infer
