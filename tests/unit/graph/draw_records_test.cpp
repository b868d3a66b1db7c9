// Many records at once: independent ones fit every clique, rounded ones have the expected counts.

#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"
#include "postern/graph/log_linear.hpp"

namespace postern::graph {
namespace {

using Columns = std::vector<std::vector<std::uint32_t>>;

std::vector<double> counts_of(const LogLinear& model, std::size_t clique, const Columns& records) {
  std::vector<double> out(model.offset(clique + 1) - model.offset(clique));
  for (std::size_t i = 0; i < records.front().size(); ++i) {
    std::size_t cell = 0;
    for (const std::uint32_t v : model.cliques()[clique]) cell = cell * model.sizes()[v] + records[v][i];
    ++out[cell];
  }
  return out;
}

std::vector<double> random_theta(const LogLinear& model, Rng& rng) {
  std::vector<double> theta(model.dimension());
  for (double& t : theta) t = rng.uniform() < 0.1 ? kMinusInfinity : draw_normal(rng);
  return theta;
}

const std::vector<Variables> kCliques{{0, 1}, {1, 2}, {2, 3}, {0, 3}, {4}, {1, 5, 6}};
const Sizes kSizes{2, 3, 2, 4, 3, 2, 2};

TEST(DrawRecords, IndependentOnesFitEveryClique) {
  // n = 20,000; chi-square of each clique at 1e-6, cells of fewer than 5 expected records pooled.
  Rng rng(11, 0, Purpose::test);
  const LogLinear model(kSizes, kCliques);
  LogLinear::Workspace work = model.workspace();
  constexpr double n = 20'000;
  int tried = 0;
  while (tried < 5) {
    if (model.evaluate(random_theta(model, rng), work) == kMinusInfinity) continue;
    ++tried;
    const Columns records = model.propagation().draw_records(work.propagation, static_cast<std::size_t>(n),
                                                             Sampling::independent, rng);
    for (std::size_t f = 0; f < model.cliques().size(); ++f) {
      const std::vector<double> counts = counts_of(model, f, records);
      double statistic = 0;
      int cells = 0;
      for (std::size_t k = 0; k < counts.size(); ++k) {
        const double wanted = n * work.marginals[model.offset(f) + k];
        EXPECT_TRUE(wanted > 0 || counts[k] == 0);
        if (wanted < 5) continue;
        ++cells;
        statistic += (counts[k] - wanted) * (counts[k] - wanted) / wanted;
      }
      EXPECT_TRUE(cells < 2 || chi_square_tail(statistic, cells) > 1e-6) << f << ": " << statistic;
    }
  }
}

TEST(DrawRecords, RoundedOnesHaveTheExpectedCounts) {
  Rng rng(12, 0, Purpose::test);
  const LogLinear model({3, 4, 2, 5}, {{0, 1}, {1, 2}, {1, 3}});
  LogLinear::Workspace work = model.workspace();
  ASSERT_GT(model.evaluate(random_theta(model, rng), work), kMinusInfinity);
  for (const std::size_t n : {1, 7, 1000}) {
    const Columns records = model.propagation().draw_records(work.propagation, n, Sampling::rounded, rng);
    for (std::size_t f = 0; f < 3; ++f) {
      const std::vector<double> counts = counts_of(model, f, records);
      for (std::size_t k = 0; k < counts.size(); ++k) {
        // A cell is off by what its separator's level is off, and one more at each clique on the way.
        const double wanted = static_cast<double>(n) * work.marginals[model.offset(f) + k];
        EXPECT_NEAR(counts[k], wanted, 5.0);
      }
    }
  }
}

TEST(DrawRecords, RoundedOnesKeepWhatIsIndependentGivenTheSeparator) {
  // 0 and 2 are independent given 1: the correlation within a level of 1 is that of chance. n = 40,000.
  Rng rng(13, 0, Purpose::test);
  const LogLinear model({2, 2, 2}, {{0, 1}, {1, 2}});
  LogLinear::Workspace work = model.workspace();
  (void)model.evaluate(random_theta(model, rng), work);
  const Columns records = model.propagation().draw_records(work.propagation, 40'000, Sampling::rounded, rng);
  for (std::uint32_t level = 0; level < 2; ++level) {
    double n = 0;
    double a = 0;
    double b = 0;
    double both = 0;
    for (std::size_t i = 0; i < records[0].size(); ++i) {
      if (records[1][i] != level) continue;
      ++n;
      a += records[0][i];
      b += records[2][i];
      both += records[0][i] * records[2][i];
    }
    const double variance = (a / n) * (1 - a / n) * (b / n) * (1 - b / n);
    if (variance == 0) continue;
    EXPECT_LT(std::abs(both / n - a * b / n / n) / std::sqrt(variance / n), 5);
  }
}

TEST(DrawRecords, NoneAndNoVariables) {
  Rng rng(14, 0, Purpose::test);
  const LogLinear model({2, 3}, {{0, 1}});
  LogLinear::Workspace work = model.workspace();
  (void)model.evaluate(std::vector<double>(6), work);
  EXPECT_EQ(model.propagation().draw_records(work.propagation, 0, Sampling::rounded, rng), Columns(2));
  const LogLinear empty({}, {});
  LogLinear::Workspace nothing = empty.workspace();
  (void)empty.evaluate({}, nothing);
  EXPECT_TRUE(empty.propagation().draw_records(nothing.propagation, 3, Sampling::rounded, rng).empty());
}

}  // namespace
}  // namespace postern::graph
