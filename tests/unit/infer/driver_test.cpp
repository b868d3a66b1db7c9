#include "postern/infer/chains/driver.hpp"

#include <atomic>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"

namespace postern::infer {
namespace {

/// x' = rho x + noise: an autocorrelation time of (1 + rho) / (1 - rho).
class Autoregressive {
 public:
  struct State {
    double x = 0;
  };
  struct Info {};
  explicit Autoregressive(double rho, double start = 0) : rho_(rho), start_(start) {}
  [[nodiscard]] State init(Rng& rng) const { return {start_ + draw_normal(rng)}; }
  Info step(State& state, Rng& rng) const {
    state.x = rho_ * state.x + std::sqrt(1 - rho_ * rho_) * draw_normal(rng);
    return {};
  }
  [[nodiscard]] static std::size_t quantities() { return 2; }
  static void read(const State& state, std::span<double> out) {
    out[0] = state.x;
    out[1] = 7;  // never changes
  }

 private:
  double rho_, start_;
};
static_assert(Kernel<Autoregressive>);

TEST(Driver, ThinsByTheMeasuredAutocorrelation) {
  const ChainRun fast = run_chains(Autoregressive(0), {}, {});
  EXPECT_LE(fast.thinning, 2U);
  EXPECT_EQ(fast.warmup, 200U);
  const ChainRun slow = run_chains(Autoregressive(0.9), {}, {});  // time 19
  EXPECT_GE(slow.thinning, 12U);
  EXPECT_LE(slow.thinning, 28U);
  // At least 20 times long: the stages of 200 + 400 steps hold it, that of 200 does not.
  EXPECT_GE(slow.warmup, 600U);
}

TEST(Driver, KeepsDrawsColumnByColumn) {
  const ChainRun run = run_chains(Autoregressive(0.5), {.chains = 3, .draws = 50}, {});
  ASSERT_EQ(run.draws.size(), 3U);
  for (const auto& chain : run.draws) {
    ASSERT_EQ(chain.size(), 100U);
    for (std::size_t i = 0; i < 50; ++i) {
      EXPECT_NE(chain[i], 7);
      EXPECT_EQ(chain[50 + i], 7);
    }
  }
}

TEST(Driver, WarmsUpUntilAFarStartIsForgotten) {
  const ChainRun run = run_chains(Autoregressive(0.95, 1e6), {.draws = 500}, {});
  for (const auto& chain : run.draws) {
    for (std::size_t i = 0; i < 500; ++i) ASSERT_LT(std::abs(chain[i]), 10);
  }
}

TEST(Driver, AChainThatNeverSettlesIsCutOff) {
  const DriverOptions options{.chains = 2, .draws = 10, .most_warmup = 3000, .most_thinning = 8};
  const ChainRun run = run_chains(Autoregressive(0.99999), options, {});
  EXPECT_LE(run.warmup, 3000U);
  EXPECT_GE(run.warmup, 1400U);
  EXPECT_EQ(run.thinning, 8U);
}

TEST(Driver, DrawsDoNotDependOnThreads) {
  DriverOptions options{.chains = 5, .draws = 40, .threads = 1};
  const ChainRun one = run_chains(Autoregressive(0.8), options, {});
  options.threads = 4;
  const ChainRun four = run_chains(Autoregressive(0.8), options, {});
  EXPECT_EQ(one.draws, four.draws);
  EXPECT_EQ(one.thinning, four.thinning);
  options.seed = 2;
  EXPECT_NE(run_chains(Autoregressive(0.8), options, {}).draws, one.draws);
}

TEST(Driver, TellsProgressFromOneThreadAtATime) {
  std::atomic<int> inside = 0;
  std::string phases;
  const Conversation conversation{{}, [&](std::string_view phase, double done) {
                                    EXPECT_EQ(++inside, 1);
                                    EXPECT_TRUE(done > 0 && done <= 1);
                                    if (phases.find(phase) == std::string::npos) phases += phase;
                                    --inside;
                                  }};
  (void)run_chains(Autoregressive(0.5), {.chains = 8, .draws = 200}, conversation);
  EXPECT_EQ(phases, "warming upsampling");
}

TEST(Driver, AStopIsHeardAtTheNextStep) {
  std::stop_source source;
  source.request_stop();
  try {
    (void)run_chains(Autoregressive(0.5), {}, {source.get_token(), {}});
    ADD_FAILURE() << "ran to its end";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::interrupted);
  }
}

}  // namespace
}  // namespace postern::infer
