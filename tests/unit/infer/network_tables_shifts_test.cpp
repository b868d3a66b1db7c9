// Shifts of levels along the rows of a network, by themselves, against the list of all latent data sets.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/special.hpp"
#include "postern/infer/network/tables_chain.hpp"

#include "network/tables/contrast_moves.hpp"
#include "network/tables/level_shifts.hpp"
#include "network/tables/parameters.hpp"
#include "network/tables/start.hpp"
#include "network_tables_reference.hpp"
#include "network_tables_support.hpp"

namespace postern::infer {
namespace {

/// A chain that does nothing else.
class ShiftsKernel {
 public:
  struct State {
    TableState tables;
    LevelShifts::State shifts;
    std::uint64_t reading = 0;
    int steps = 0;
  };
  struct Info {};

  explicit ShiftsKernel(const NetworkTarget& target)
      : target_(&target),
        start_(target),
        places_(target.tables(), target.sums(), 10),
        shifts_(target),
        parameters_(target) {}
  [[nodiscard]] State init(Rng& rng) const {
    State state{{}, shifts_.init(), rng(), 0};
    state.tables.counts.assign(target_->tables().cells(), 0);
    places_.prepare(state.tables, 1);
    start_.draw(state.tables.counts, rng);
    state.tables.shifts = target_->shifts();
    return state;
  }
  Info step(State& state, Rng& rng) const {
    state.tables.tuning = state.steps++ < 100;
    for (std::size_t i = 0; i < shifts_.lines(); ++i) shifts_.shift(state.tables, state.shifts, rng);
    state.reading = rng();
    return {};
  }
  [[nodiscard]] std::size_t quantities() const { return network_quantities(target_->problem()); }
  void read(const State& state, std::span<double> out) const {
    Rng rng(state.reading, 0, Purpose::draws);
    parameters_.draw(state.tables, out, rng);
  }

 private:
  const NetworkTarget* target_;
  TablesStart start_;
  ContrastMoves places_;  ///< sizes the places of a state
  LevelShifts shifts_;
  ParameterDraw parameters_;
};

NetworkProblem diamond(std::uint64_t seed, const release::NoiseLaw& law) {
  NetworkProblem problem = empty_network({2, 3, 2, 2, 2}, {{}, {0}, {0}, {1, 2}, {3}}, 0.5);
  problem.total = KnownTotal{4};
  Rng rng(seed, 0, Purpose::test);
  release_records(problem, draw_truth(problem, rng), 4, law, rng);
  return problem;
}

TEST(NetworkTablesShifts, FollowThePosteriorByThemselves) {
  const release::NoiseLaw laws[] = {release::DiscreteLaplace(0.4), release::DiscreteGaussian(4),
                                    release::DiscreteLaplace(2)};
  double worst = 0;
  std::size_t comparisons = 0;
  for (std::size_t i = 0; i < std::size(laws); ++i) {
    const NetworkProblem problem = diamond(i + 1, laws[i]);
    const NetworkReference reference(problem);
    const NetworkTarget target = NetworkTarget::make(problem, 4, 1, {});
    DriverOptions options;
    options.draws = 1500;
    options.seed = i;
    const ChainRun run = run_chains(ShiftsKernel(target), options, {});
    for (std::size_t q = 0; q < network_quantities(problem); ++q) {
      const QuantityDraws draws(run, q, options.draws);
      const NetworkReference::Moments& exact = reference.moments()[q];
      const double mean = draws.mean([](double x) { return x; });
      const double ess = std::min(draws.ess(), 6'000.0);
      worst = std::max(worst, std::abs(mean - exact.mean) / (exact.sd() / std::sqrt(ess)));
      EXPECT_LT(draws.rhat(), 1.02);
      ++comparisons;
    }
  }
  EXPECT_LT(worst, -normal_quantile(1e-6 / 2 / static_cast<double>(comparisons)));
}

TEST(NetworkTablesShifts, MoveWhatContextsHoldTooFewRecordsFor) {
  // A rare level over many contexts: each holds a few records, noise leaves the level's count far wider.
  NetworkProblem problem = empty_network({2, 8, 4, 2}, {{}, {}, {0, 1}, {2}}, 0.5);
  problem.total = KnownTotal{40'000};
  Rng rng(5, 0, Purpose::test);
  std::vector<double> truth = draw_truth(problem, rng);
  truth[0] = 0.001;
  truth[1] = 0.999;
  release_records(problem, truth, 40'000, release::DiscreteLaplace(0.01), rng);
  DriverOptions options;
  options.draws = 250;
  options.most_warmup = 300;
  options.most_thinning = 2;
  const ChainRun run = draw_network_tables(problem, options, {});
  const QuantityDraws rare(run, 0, options.draws);
  EXPECT_LT(rare.rhat(), 1.03);
  EXPECT_GT(rare.ess(), 100);
}

}  // namespace
}  // namespace postern::infer
