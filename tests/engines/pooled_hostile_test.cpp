#include <cmath>
#include <ostream>
#include <stop_token>
#include <string>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"

#include "pooled_support.hpp"

namespace postern::infer {
namespace {

struct Hostile {
  double epsilon;
  bool gaussian;

  friend std::ostream& operator<<(std::ostream& out, const Hostile& setting) {
    return out << (setting.gaussian ? "gaussian, epsilon " : "laplace, epsilon ") << setting.epsilon;
  }
};

PooledCounts make(const Hostile& setting, double alpha, std::span<const double> y, bool latent,
                  std::int64_t n) {
  const double epsilon = setting.epsilon;
  const release::NoiseLaw law = setting.gaussian
                                    ? release::NoiseLaw(release::DiscreteGaussian(1 / (epsilon * epsilon)))
                                    : release::NoiseLaw(release::DiscreteLaplace(epsilon));
  PooledCounts problem;
  CountProblem data;
  for (std::size_t k = 0; k < y.size(); ++k) {
    problem.alpha.push_back(k == 0 ? alpha : 1.0);
    problem.reported.push_back(k);
    data.noisy_values.push_back({{y[k], law}});
  }
  if (latent) {
    data.total = LatentTotal{n};
  } else {
    data.total = KnownTotal{n};
  }
  problem.datasets = {data, data};
  problem.datasets[1].noisy_values[0].clear();
  return problem;
}

void expect_sane(const PooledCounts& problem, std::int64_t n) {
  DriverOptions options;
  options.chains = 1;
  options.draws = 10;
  options.first_stage = 20;
  options.most_warmup = 100;
  options.most_thinning = 2;
  const ChainRun run = draw_pooled_counts(problem, options, {});
  const std::size_t cells = problem.alpha.size();
  for (std::size_t i = 0; i < options.draws; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < cells; ++k) {
      const double theta = run.draws[0][k * options.draws + i];
      ASSERT_TRUE(theta >= 0 && theta <= 1) << theta;
      sum += theta;
    }
    ASSERT_NEAR(sum, 1, 1e-9);
    for (std::size_t q = cells; q * options.draws < run.draws[0].size(); ++q) {
      const double total = run.draws[0][q * options.draws + i];
      ASSERT_TRUE(total >= 0 && total <= static_cast<double>(n) && total == std::floor(total)) << total;
    }
  }
}

class PooledHostile : public testing::TestWithParam<Hostile> {};

TEST_P(PooledHostile, GivesFiniteDrawsInRange) {
  const std::vector<std::vector<double>> values{
      {0, 0, 0}, {1e15, 1e15, 1e15}, {-1e15, -1e15, -1e15}, {1e15, -1e15, 7}, {300, 20, 680}};
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1000}, std::int64_t{1} << 40}) {
    for (const double alpha : {1e-9, 1e-3, 1.0, 1e6}) {
      for (const std::vector<double>& y : values) {
        for (const std::size_t cells : {1U, 2U, 3U}) {
          for (const bool latent : {false, true}) {
            SCOPED_TRACE(std::to_string(n) + (latent ? " or fewer" : "") + " records, alpha " +
                         std::to_string(alpha) + ", " + std::to_string(cells) + " cells, first value " +
                         std::to_string(y[0]));
            const PooledCounts problem = make(GetParam(), alpha, std::span(y).first(cells), latent, n);
            expect_sane(problem, n);
            if (testing::Test::HasFailure()) return;
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PooledHostile,
                         testing::Values(Hostile{1e-6, false}, Hostile{1, false}, Hostile{1e3, false},
                                         Hostile{1e-6, true}, Hostile{1, true}, Hostile{1e3, true}));

TEST(PooledLimits, RefusesProblemsThatAreNone) {
  const std::vector<double> y{1, 2};
  PooledCounts problem = make({1, false}, 1, y, false, 10);
  problem.datasets[1].total = LatentTotal{10};
  EXPECT_THROW((void)draw_pooled_counts(problem, {}, {}), Error);
  problem = make({1, false}, 1, y, false, -1);
  EXPECT_THROW((void)draw_pooled_counts(problem, {}, {}), Error);
  problem = make({1, false}, 0, y, false, 10);
  EXPECT_THROW((void)draw_pooled_counts(problem, {}, {}), Error);
}

// Without noise the posterior is the conjugate one: Beta(1 + 2 * 30, 2 + 2 * 70) for the first cell.
TEST(PooledLimits, WithoutNoiseItIsTheConjugatePosterior) {
  for (const bool latent : {false, true}) {
    const std::vector<double> y{30, 20, 50};
    PooledCounts problem = make({500, false}, 1, y, latent, latent ? 1000 : 100);
    problem.datasets[1] = problem.datasets[0];
    const ChainRun run = draw_pooled_counts(problem, {}, {});
    double mean = 0;
    for (const auto& chain : run.draws) {
      for (std::size_t i = 0; i < 1000; ++i) mean += chain[i] / 4000;
    }
    const double sd = std::sqrt(61.0 * 142 / (203.0 * 203 * 204));
    EXPECT_NEAR(mean, 61.0 / 203, 4.9 * sd / std::sqrt(4000 / 2.0));
  }
}

TEST(PooledLimits, AStopEndsIt) {
  const std::vector<double> y{300, 200, 500};
  std::stop_source source;
  int reports = 0;
  const Conversation conversation{source.get_token(), [&](std::string_view, double done) {
                                    EXPECT_TRUE(done >= 0 && done <= 1);
                                    if (++reports == 3) source.request_stop();
                                  }};
  try {
    (void)draw_pooled_counts(make({0.1, false}, 1, y, false, 1000), {.chains = 1, .draws = 1'000'000},
                             conversation);
    ADD_FAILURE() << "ran to its end";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::interrupted);
  }
  EXPECT_EQ(reports, 3);
}

}  // namespace
}  // namespace postern::infer
