#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"

// Same stream, same numbers: a seed in a report must mean the same draws in every later version. Integers are
// exact; real numbers may differ in the last digits, since mathematical libraries differ there.

namespace postern {
namespace {

Rng stream() { return {2026, 3, Purpose::draws}; }

void expect_draws(const std::function<double(Rng&)>& draw, const std::vector<double>& golden) {
  Rng rng = stream();
  for (const double want : golden) {
    const double got = draw(rng);
    EXPECT_LE(std::abs(got - want), 1e-13 * std::abs(want)) << "got " << got << ", want " << want;
  }
}

void expect_counts(const std::function<std::int64_t(Rng&)>& draw, const std::vector<std::int64_t>& golden) {
  Rng rng = stream();
  for (const std::int64_t want : golden) EXPECT_EQ(draw(rng), want);
}

TEST(GoldenDraws, Words) {
  Rng rng = stream();
  EXPECT_EQ(rng(), 0xa50a9caf47641434);
  EXPECT_EQ(rng(), 0xf27239054639d6b2);
}

TEST(GoldenDraws, Continuous) {
  expect_draws([](Rng& rng) { return rng.uniform(); },
               {0.64469317702550233, 0.94705540064590055, 0.42903372672751205, 0.55444440091854397});
  expect_draws(draw_normal,
               {1.3829207830197427, 1.1337747105543075, -0.82355483778571204, -0.56512672454136059});
  expect_draws(draw_exponential,
               {0.43898076989900808, 0.054397686297155606, 0.8462197460638331, 0.58978874607642329});
  expect_draws([](Rng& rng) { return draw_gamma(2.5, rng); },
               {4.9063084598124238, 1.1664530495236132, 5.4434501498938612, 1.6038532954580311});
  expect_draws([](Rng& rng) { return draw_gamma(0.3, rng); },
               {0.18246691499609419, 3.5568854117722602e-06, 0.13907996623052307, 0.00071184849905286019});
  expect_draws([](Rng& rng) { return draw_log_gamma(1e-3, rng); },
               {-845.28168065090279, -3563.5833772176461, -443.91160915510676, -2139.7329678274118});
  expect_draws([](Rng& rng) { return draw_beta(2, 3, rng); },
               {0.73069136334896256, 0.69638472767738668, 0.67413889243491798, 0.61141239397285574});
  expect_draws([](Rng& rng) { return draw_beta(0.2, 0.5, rng); },
               {0.9876061984205059, 0.79436197479739612, 0.10281916070746734, 0.40136357775612536});
}

TEST(GoldenDraws, Counts) {
  expect_counts([](Rng& rng) { return static_cast<std::int64_t>(draw_below(1000, rng)); },
                {644, 947, 429, 554});
  expect_counts([](Rng& rng) { return draw_binomial(20, 0.3, rng); }, {7, 9, 6, 6});
  expect_counts([](Rng& rng) { return draw_binomial(1'000'000, 0.6, rng); },
                {599796, 600098, 599775, 600363});
  expect_counts([](Rng& rng) { return draw_binomial(1'000'000'000'000, 0.25, rng); },
                {250000180643, 249999913267, 250000198639, 249999679238});
  const auto poisson = [](double rate) {
    return [rate](Rng& rng) { return static_cast<std::int64_t>(draw_poisson(rate, rng)); };
  };
  expect_counts(poisson(3.5), {4, 7, 3, 4});
  expect_counts(poisson(250), {229, 256, 249, 270});
  expect_counts(poisson(1e12), {999998805984, 1000000520090, 1000001134943, 999999690673});
}

TEST(GoldenDraws, Vectors) {
  const auto expect_dirichlet = [](const std::vector<double>& alpha, const std::vector<double>& golden) {
    std::vector<double> theta(alpha.size());
    Rng rng = stream();
    draw_dirichlet(alpha, theta, rng);
    for (std::size_t k = 0; k < alpha.size(); ++k)
      EXPECT_LE(std::abs(theta[k] - golden[k]), 1e-13 * golden[k]);
  };
  expect_dirichlet({1, 2, 3, 4},
                   {0.20469389902628024, 0.065219008130136841, 0.49617677580911712, 0.23391031703446577});
  expect_dirichlet({0.1, 2, 0.3, 4}, {9.6116674331279156e-05, 0.17320713913005201, 3.4081519595189216e-05,
                                      0.82666266267602151});
  const std::vector<double> p = {0.1, 0.2, 0.3, 0.4};
  std::vector<std::int64_t> counts(4);
  Rng rng = stream();
  draw_multinomial(1000, p, counts, rng);
  EXPECT_EQ(counts, (std::vector<std::int64_t>{98, 206, 288, 408}));
}

}  // namespace
}  // namespace postern
