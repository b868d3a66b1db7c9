#include "postern/core/parallel.hpp"

#include <atomic>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"

namespace postern {
namespace {

std::vector<double> simulate(int threads) {
  std::vector<double> out(1000);
  parallel_for(out.size(), threads, [&](std::size_t i) {
    Rng rng(9, static_cast<std::uint32_t>(i), Purpose::simulation);
    for (int k = 0; k < 20; ++k) out[i] += draw_gamma(0.5, rng);
  });
  return out;
}

TEST(ParallelFor, ResultDoesNotDependOnThreads) {
  const auto one = simulate(1);
  EXPECT_EQ(simulate(4), one);
  EXPECT_EQ(simulate(0), one);
}

TEST(ParallelFor, VisitsEachIndexOnce) {
  for (const int threads : {0, 1, 2, 7}) {
    for (const std::size_t count : {0U, 1U, 2U, 1001U}) {
      std::vector<std::atomic<int>> visits(count);
      parallel_for(count, threads, [&](std::size_t i) { ++visits[i]; });
      for (const auto& v : visits) EXPECT_EQ(v, 1);
    }
  }
}

TEST(ParallelFor, PassesExceptionsOn) {
  for (const int threads : {1, 4}) {
    try {
      parallel_for(100, threads, [](std::size_t i) {
        if (i == 57) throw Error(ErrorCode::interrupted, {"stop"});
      });
      FAIL() << "no exception";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::interrupted);
    }
  }
}

TEST(ParallelFor, Nests) {
  std::atomic<int> visits = 0;
  parallel_for(8, 2, [&](std::size_t) { parallel_for(8, 2, [&](std::size_t) { ++visits; }); });
  EXPECT_EQ(visits, 64);
}

TEST(ParallelFor, DefaultIsAtLeastOne) { EXPECT_GE(default_threads(), 1); }

}  // namespace
}  // namespace postern
