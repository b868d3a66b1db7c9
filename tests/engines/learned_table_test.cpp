#include "postern/infer/counts/learned_table.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"

#include "ranks.hpp"

// The table of counts whose prior is learned: given n and the centres against listing every table, and by
// ranks of truths that its law made.

namespace postern::infer {
namespace {

using release::DiscreteGaussian;
using release::DiscreteLaplace;
using release::NoiseLaw;

/// Dirichlet-multinomial probability of a row's counts, beside exact ones.
double log_row(const std::vector<std::int64_t>& counts, const std::vector<double>& known,
               const std::vector<double>& centre, double concentration) {
  double sum = 0;
  double all = 0;
  double log_p = 0;
  for (std::size_t v = 0; v < counts.size(); ++v) {
    const double a = concentration * centre[v];
    const auto s = static_cast<double>(counts[v]);
    log_p += log_gamma(a + known[v] + s) - log_gamma(a) - log_factorial(s);
    sum += s;
    all += s + known[v];
  }
  return log_p + log_factorial(sum) + log_gamma(concentration) - log_gamma(concentration + all);
}

/// Every table with n records, its probability under the learned prior and the noise.
class Listing {
 public:
  Listing(const LearnedTable& table, const Centres& centres) : table_(table), centres_(centres) {}

  double log_evidence(std::int64_t n) const {
    std::vector<double> terms;
    std::vector<std::int64_t> counts(table_.cells());
    visit(counts, 0, n, [&] { terms.push_back(log_prior(counts) + log_noise(counts)); });
    return log_sum_exp(terms);
  }

 private:
  void visit(std::vector<std::int64_t>& counts, std::size_t cell, std::int64_t left,
             const std::function<void()>& take) const {
    if (cell + 1 == counts.size()) {
      counts[cell] = left;
      take();
      return;
    }
    for (std::int64_t s = 0; s <= left; ++s) {
      counts[cell] = s;
      visit(counts, cell + 1, left - s, take);
    }
  }
  double log_noise(const std::vector<std::int64_t>& counts) const {
    double sum = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      for (const NoisyValue& value : table_.noisy_values[k])
        sum += release::log_pmf(value.law, value.y - static_cast<double>(counts[k]));
    }
    return sum;
  }
  double log_prior(std::vector<std::int64_t> counts) const {
    std::vector<double> known(table_.public_rows.begin(), table_.public_rows.end());
    known.resize(counts.size());
    double log_p = 0;
    for (std::size_t level = table_.sizes.size(); level-- > 0;) {
      const std::size_t width = table_.sizes[level];
      const std::vector<double> grid = concentrations(width, table_.scale);
      std::vector<std::int64_t> sums(counts.size() / width);
      std::vector<double> known_sums(sums.size());
      for (std::size_t r = 0; r < sums.size(); ++r) {
        const auto at = static_cast<std::ptrdiff_t>(r * width);
        const auto end = static_cast<std::ptrdiff_t>((r + 1) * width);
        const std::vector<std::int64_t> row(counts.begin() + at, counts.begin() + end);
        const std::vector<double> beside(known.begin() + at, known.begin() + end);
        std::vector<double> terms;
        for (const double a : grid)
          terms.push_back(log_row(row, beside, centres_[level], a) - std::log(double(grid.size())));
        log_p += log_sum_exp(terms);
        sums[r] = std::accumulate(row.begin(), row.end(), std::int64_t{0});
        known_sums[r] = std::accumulate(beside.begin(), beside.end(), 0.0);
      }
      counts = std::move(sums);
      known = std::move(known_sums);
    }
    return log_p;
  }

  const LearnedTable& table_;
  const Centres& centres_;
};

/// Small tables of every shape with values that may contradict n.
LearnedTable random_table(const std::vector<std::uint32_t>& sizes, bool laplace, int number, Rng& rng) {
  LearnedTable out;
  out.sizes = sizes;
  out.at_most = 9;
  const std::size_t cells = std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>());
  for (std::size_t k = 0; k < cells; ++k) {
    std::vector<NoisyValue>& values = out.noisy_values.emplace_back();
    for (int j = 0; j <= number % 2; ++j) {
      const double scale = std::exp(2.5 * rng.uniform() - 0.3);
      const double y = std::floor(12 * rng.uniform() - 4);
      values.push_back(
          {y, laplace ? NoiseLaw(DiscreteLaplace(1 / scale)) : NoiseLaw(DiscreteGaussian(scale * scale))});
    }
    if (number % 3 == 2) out.public_rows.push_back(static_cast<std::int64_t>(draw_below(5, rng)));
  }
  if (number % 4 == 3) out.scale = 2;
  return out;
}

Centres random_centres(const LearnedTable& table, Rng& rng) {
  Centres out = even_centres(table);
  for (std::size_t j = 1; j < out.size(); ++j) {
    const std::vector<double> half(out[j].size(), 0.5);
    draw_dirichlet(half, out[j], rng);
    for (double& x : out[j]) x = (x + 0.01) / (1 + 0.01 * static_cast<double>(out[j].size()));
  }
  return out;
}

class LearnedTableListed : public testing::TestWithParam<bool> {};

TEST_P(LearnedTableListed, HasTheEvidenceOfEveryTotal) {
  const std::vector<std::vector<std::uint32_t>> shapes{{2},    {4},    {2, 2},    {2, 3},
                                                       {3, 2}, {1, 3}, {2, 1, 2}, {2, 2, 2}};
  int number = 0;
  for (const std::vector<std::uint32_t>& sizes : shapes) {
    for (int repeat = 0; repeat < 4; ++repeat, ++number) {
      Rng rng(41, static_cast<std::uint32_t>(number), Purpose::test);
      const LearnedTable table = random_table(sizes, GetParam(), number, rng);
      const Centres centres = random_centres(table, rng);
      const LearnedCounts counts(table, centres, 0, 9);
      const Listing listing(table, centres);
      double best = kMinusInfinity;
      for (std::int64_t n = 0; n <= 7; ++n) best = std::max(best, listing.log_evidence(n));
      for (const std::int64_t n : {0, 1, 4, 7}) {
        const double listed = listing.log_evidence(n);
        const LearnedCounts alone(table, centres, n, n);
        EXPECT_NEAR(alone.log_evidence(n), listed, 1e-10) << number << " n " << n;
        if (listed > best - 20) {
          EXPECT_NEAR(counts.log_evidence(n), listed, 1e-10) << number << " n " << n;
        }
      }
    }
  }
}

/// A further value that is all but exact turns evidence into the probability of a count.
TEST_P(LearnedTableListed, DrawsCountsAsOftenAsTheirProbability) {
  Rng rng(42, GetParam() ? 1 : 0, Purpose::test);
  const LearnedTable table = random_table({2, 3}, GetParam(), 2, rng);
  const Centres centres = random_centres(table, rng);
  constexpr std::int64_t kN = 7;
  const LearnedCounts counts(table, centres, kN, kN);
  const double evidence = Listing(table, centres).log_evidence(kN);
  constexpr int kDraws = 40'000;
  std::vector<std::vector<double>> seen(table.cells(), std::vector<double>(kN + 1));
  std::vector<double> mean(table.cells());
  LearnedDraw draw;
  draw.n = kN;
  for (int i = 0; i < kDraws; ++i) {
    counts.draw(draw, rng);
    for (std::size_t k = 0; k < table.cells(); ++k) {
      ++seen[k][static_cast<std::size_t>(draw.counts[k])];
      mean[k] += draw.theta[k] / kDraws;
    }
  }
  EXPECT_NEAR(std::accumulate(mean.begin(), mean.end(), 0.0), 1, 1e-9);
  for (std::size_t k = 0; k < table.cells(); ++k) {
    double statistic = 0;
    double kinds = 0;
    for (std::int64_t s = 0; s <= kN; ++s) {
      LearnedTable sharp = table;
      sharp.noisy_values[k].push_back({static_cast<double>(s), DiscreteGaussian(1e-4)});
      const double p = std::exp(Listing(sharp, centres).log_evidence(kN) - evidence);
      const double expected = p * kDraws;
      if (expected < 5) continue;
      const double off = seen[k][static_cast<std::size_t>(s)] - expected;
      statistic += off * off / expected;
      ++kinds;
    }
    EXPECT_GT(chi_square_tail(statistic, kinds), 1e-6 / static_cast<double>(table.cells())) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Noises, LearnedTableListed, testing::Bool());

/// A truth that the learned prior made: rows around given centres.
struct Truth {
  std::vector<double> theta;
  std::vector<std::int64_t> counts;
  LearnedTable table;
};

Truth make_truth(const std::vector<std::uint32_t>& sizes, const Centres& centres, std::int64_t n,
                 const NoiseLaw& law, Rng& rng) {
  Truth out;
  out.table.sizes = sizes;
  out.theta = {1.0};
  for (std::size_t level = 0; level < sizes.size(); ++level) {
    const std::vector<double> grid = concentrations(sizes[level], 1);
    std::vector<double> next;
    for (const double share : out.theta) {
      const double a = grid[draw_below(grid.size(), rng)];
      std::vector<double> row = centres[level];
      for (double& x : row) x *= a;
      draw_dirichlet(row, row, rng);
      for (const double x : row) next.push_back(share * x);
    }
    out.theta = std::move(next);
  }
  out.counts.resize(out.theta.size());
  draw_multinomial(n, out.theta, out.counts, rng);
  for (const std::int64_t s : out.counts) {
    const double y = static_cast<double>(s) + static_cast<double>(release::simulate(law, rng));
    out.table.noisy_values.push_back({{y, law}});
  }
  return out;
}

/// Distance of ranks from uniform: above 2.70 / sqrt(studies) with probability 1e-6.
double distance_of(std::vector<double> ranks) {
  std::sort(ranks.begin(), ranks.end());
  const auto m = static_cast<double>(ranks.size());
  double distance = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto at = static_cast<double>(i);
    distance = std::max({distance, ranks[i] - at / m, (at + 1) / m - ranks[i]});
  }
  return distance;
}

constexpr std::size_t kRankedDraws = 99;

TEST(LearnedTableRanks, AreUniformGivenTotalAndCentres) {
  constexpr int kStudies = 600;
  const std::vector<std::uint32_t> sizes{3, 4};
  std::vector<std::vector<double>> ranks(4);
  for (int study = 0; study < kStudies; ++study) {
    Rng rng(43, static_cast<std::uint32_t>(study), Purpose::calibration);
    LearnedTable shape;
    shape.sizes = sizes;
    const Centres centres = random_centres(shape, rng);
    const NoiseLaw law = study % 2 == 0 ? NoiseLaw(DiscreteLaplace(0.3)) : NoiseLaw(DiscreteGaussian(16));
    constexpr std::int64_t kN = 80;
    Truth truth = make_truth(sizes, centres, kN, law, rng);
    truth.table.n = kN;
    const LearnedCounts posterior(truth.table, centres, kN, kN);
    std::vector<std::vector<double>> draws(ranks.size());
    LearnedDraw draw;
    draw.n = kN;
    const auto row = [](const auto& of) { return static_cast<double>(of[4] + of[5] + of[6] + of[7]); };
    for (std::size_t i = 0; i < kRankedDraws; ++i) {
      posterior.draw(draw, rng);
      draws[0].push_back(draw.theta[0]);
      draws[1].push_back(draw.theta[6]);
      draws[2].push_back(row(draw.theta));
      draws[3].push_back(row(draw.counts));
    }
    const std::vector<double> truths{truth.theta[0], truth.theta[6], row(truth.theta), row(truth.counts)};
    for (std::size_t q = 0; q < ranks.size(); ++q) ranks[q].push_back(rank_of(truths[q], draws[q], rng));
  }
  for (const std::vector<double>& one : ranks) EXPECT_LT(distance_of(one), 2.70 / std::sqrt(kStudies) + 0.01);
}

/// n alone: uniform on 0..at_most, and seen through the sum of all cells' noise.
TEST(LearnedTableRanks, AreUniformOfTotalsByThemselves) {
  constexpr int kStudies = 600;
  constexpr std::int64_t kMost = 300;
  std::vector<double> ranks;
  for (int study = 0; study < kStudies; ++study) {
    Rng rng(44, static_cast<std::uint32_t>(study), Purpose::calibration);
    const auto n = static_cast<std::int64_t>(draw_below(kMost + 1, rng));
    const NoiseLaw law = study % 2 == 0 ? NoiseLaw(DiscreteLaplace(0.2)) : NoiseLaw(DiscreteGaussian(30));
    LearnedTable shape;
    shape.sizes = {2, 3};
    Truth truth = make_truth(shape.sizes, even_centres(shape), n, law, rng);
    truth.table.at_most = kMost;
    const LearnedPosterior posterior(truth.table, {.threads = 1});
    std::vector<double> draws;
    for (std::size_t i = 0; i < kRankedDraws; ++i)
      draws.push_back(static_cast<double>(posterior.draw_n(rng)));
    ranks.push_back(rank_of(static_cast<double>(n), draws, rng));
  }
  EXPECT_LT(distance_of(ranks), 2.70 / std::sqrt(kStudies) + 0.01);
}

/// Shares of truths of a law that are held by 90 % intervals: cells and the first column's, in studies of
/// private and public n.
double held(int studies, bool flat, std::uint64_t seed) {
  double hits = 0;
  double facts = 0;
  const std::vector<std::uint32_t> sizes{3, 4};
  for (int study = 0; study < studies; ++study) {
    Rng rng(seed, static_cast<std::uint32_t>(study), Purpose::calibration);
    constexpr std::int64_t kN = 300;
    const NoiseLaw law = study % 2 == 0 ? NoiseLaw(DiscreteLaplace(0.2)) : NoiseLaw(DiscreteGaussian(50));
    LearnedTable shape;
    shape.sizes = sizes;
    Centres centres = random_centres(shape, rng);
    Truth truth = make_truth(sizes, centres, kN, law, rng);
    if (flat) {
      const std::vector<double> ones(12, 1.0);
      draw_dirichlet(ones, truth.theta, rng);
      draw_multinomial(kN, truth.theta, truth.counts, rng);
      for (std::size_t k = 0; k < 12; ++k)
        truth.table.noisy_values[k][0].y =
            static_cast<double>(truth.counts[k]) + static_cast<double>(release::simulate(law, rng));
    }
    if (study % 4 < 2) {
      truth.table.n = kN;
    } else {
      truth.table.at_most = 1000;
    }
    constexpr std::size_t kDraws = 640;
    const LearnedPosterior posterior(truth.table, {.seed = rng(), .threads = 1, .draws = kDraws});
    std::vector<std::vector<double>> draws(15, std::vector<double>(kDraws));
    const auto facts_of = [](const std::vector<double>& theta, std::size_t q) {
      if (q < 12) return theta[q];
      const auto first = theta.begin() + static_cast<std::ptrdiff_t>(4 * (q - 12));
      return std::accumulate(first, first + 4, 0.0);
    };
    posterior.draw_all(
        [&](std::size_t i, std::size_t, const LearnedDraw& draw) {
          for (std::size_t q = 0; q < draws.size(); ++q) draws[q][i] = facts_of(draw.theta, q);
        },
        {});
    for (std::size_t q = 0; q < draws.size(); ++q) {
      std::sort(draws[q].begin(), draws[q].end());
      const double value = facts_of(truth.theta, q);
      hits += draws[q][kDraws / 20] <= value && value <= draws[q][kDraws - kDraws / 20 - 1] ? 1 : 0;
      ++facts;
    }
  }
  return hits / facts;
}

TEST(LearnedTableCoverage, HoldsTruthsOfItsOwnLaw) {
  const double share = held(60, false, 45);
  EXPECT_GT(share, 0.84);
  EXPECT_LT(share, 0.97);
}
TEST(LearnedTableCoverage, HoldsTruthsOfTheFlatPrior) {
  constexpr double kStudies = 60;
  EXPECT_NEAR(held(60, true, 48), 0.90, 0.02 + 4 * std::sqrt(0.09 / kStudies));
}
TEST(LongLearnedTableCoverage, HoldsTruthsOfItsOwnLaw) {
  const double share = held(1000, false, 46);
  EXPECT_GT(share, 0.86);
  EXPECT_LT(share, 0.95);
}
TEST(LongLearnedTableCoverage, HoldsTruthsOfTheFlatPrior) {
  constexpr double kStudies = 400;
  const double share = held(400, true, 47);
  EXPECT_NEAR(share, 0.90, 0.02 + 4 * std::sqrt(0.09 / kStudies));
}

}  // namespace
}  // namespace postern::infer
