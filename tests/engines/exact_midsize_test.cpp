#include <cmath>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/infer/kinds/table/exact/count_posterior.hpp"

#include "chain_reference.hpp"

// Sizes at which windows, tilts and transforms matter, against direct sums without any of them.

namespace postern::infer {
namespace {

constexpr std::size_t kMemory = std::size_t{1} << 30;
constexpr double kBar = 1e-10;

struct Setting {
  std::string name;
  std::size_t cells;
  std::int64_t n;
  double scale;  ///< of the noise
  bool gaussian;
  double alpha;
  std::int64_t at_most;  ///< 0: n is known
};

CountProblem simulate(const Setting& setting) {
  Rng rng(5, static_cast<std::uint32_t>(setting.cells), Purpose::test);
  CountProblem problem;
  problem.alpha.assign(setting.cells, setting.alpha);
  std::vector<double> theta(setting.cells);
  std::vector<std::int64_t> counts(setting.cells);
  draw_dirichlet(std::vector<double>(setting.cells, 1.0), theta, rng);
  draw_multinomial(setting.n, theta, counts, rng);
  const release::NoiseLaw law =
      setting.gaussian ? release::NoiseLaw(release::DiscreteGaussian(setting.scale * setting.scale))
                       : release::NoiseLaw(release::DiscreteLaplace(1 / setting.scale));
  for (const std::int64_t count : counts) {
    problem.noisy_values.push_back(
        {{static_cast<double>(count) + static_cast<double>(release::simulate(law, rng)), law}});
  }
  if (setting.at_most > 0) {
    problem.total = LatentTotal{setting.at_most};
  } else {
    problem.total = KnownTotal{setting.n};
  }
  return problem;
}

std::ostream& operator<<(std::ostream& out, const Setting& setting) { return out << setting.name; }

class ExactMidsize : public testing::TestWithParam<Setting> {};

TEST_P(ExactMidsize, EqualsDirectSums) {
  const CountProblem problem = simulate(GetParam());
  const ChainReference truth(problem);
  const CountPosterior posterior(problem, kMemory, 1);
  EXPECT_NEAR(posterior.log_evidence(), truth.log_evidence(), kBar * std::abs(truth.log_evidence()));
  const std::int64_t most = GetParam().at_most > 0 ? GetParam().at_most : GetParam().n;
  for (std::int64_t n = 0; n <= most; n += 1 + most / 50) {
    EXPECT_NEAR(posterior.total_probability(n), truth.total_probability(static_cast<std::size_t>(n)), kBar);
  }
  for (std::size_t k = 0; k < problem.alpha.size(); k += 1 + problem.alpha.size() / 3) {
    const double theta = posterior.quantile(k, 0.3);
    const ChainReference::CellSummary cell = truth.cell(k, theta);
    EXPECT_NEAR(posterior.mean(k), cell.mean, kBar * cell.mean);
    EXPECT_NEAR(posterior.sd(k), cell.sd, kBar * cell.sd);
    EXPECT_NEAR(posterior.expected_count(k), cell.expected_count, kBar * (1 + cell.expected_count));
    EXPECT_NEAR(0.3, cell.cdf, kBar);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ExactMidsize,
    testing::Values(Setting{"Laplace", 12, 1500, 20, false, 1, 0},  // plain transforms
                    Setting{"LaplaceManyCells", 40, 800, 4, false, 0.5, 0},
                    Setting{"Gaussian", 12, 1500, 15, true, 2, 0},
                    Setting{"PriorDominates", 6, 1000, 1e5, false, 3, 0},  // windows are all of 0..n
                    Setting{"SmallAlpha", 8, 1000, 30, false, 0.01, 0},    // two peaks a cell
                    Setting{"PrivateTotal", 6, 600, 3, false, 1, 800},     // n well seen
                    Setting{"PrivateTotalAtItsBound", 4, 600, 20, false, 1, 610},
                    Setting{"VaguePrivateTotal", 20, 300, 30, false, 1, 500},  // h(n) spans many nats
                    Setting{"VagueGaussian", 12, 200, 40, true, 0.7, 500}),
    [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace postern::infer
