// Deaths between the rounds of a release: the charge stays, and nothing else.

#include <csignal>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "postern/owner/crash_point.hpp"

#include "arena.hpp"
#include "study.hpp"

namespace postern::drill {
namespace {

using owner::CrashPoint;

Arena::Options in_rounds(long count) {
  Arena::Options options;
  options.count = count;
  options.environment = {{kInRounds, "1"}};
  return options;
}

TEST(DrillOfRounds, ADeathBetweenThemLeavesTheChargeAndNothingElse) {
  for (const CrashPoint point : {CrashPoint::after_charge_commit, CrashPoint::after_noise,
                                 CrashPoint::after_round, CrashPoint::after_later_round}) {
    SCOPED_TRACE("point " + std::to_string(static_cast<int>(point)));
    Arena arena(10);
    Arena::Options options = in_rounds(1);
    options.environment["POSTERN_CRASH_AT"] = std::to_string(static_cast<int>(point));
    const End end = arena.run(options);
    EXPECT_TRUE(end.killed && end.status == SIGKILL);
    Count count = arena.count();
    EXPECT_EQ(count.charges, 1);
    EXPECT_EQ(count.documents + count.noted + count.temporary + count.orphans, 0);
    // The next one is not hindered, pays once for all its rounds, and is whole.
    EXPECT_EQ(arena.run(in_rounds(1)).status, 0);
    count = arena.count();
    EXPECT_EQ(count.charges, 2);
    EXPECT_EQ(count.documents, 1);
    EXPECT_EQ(count.broken + count.orphans, 0);
    EXPECT_EQ(count.spent_nano * 10, count.budget_nano * 2);
  }
}

TEST(DrillOfRounds, KillsNeverLeaveADocumentWithoutItsCharge) {
  constexpr int kKills = 60;
  Arena arena(1'000'000);
  std::mt19937 random(6);
  for (int i = 0; i < kKills; ++i) {
    const pid_t spender = arena.start(in_rounds(-1));
    std::this_thread::sleep_for(
        std::chrono::microseconds(std::uniform_int_distribution<int>(0, 60'000)(random)));
    Arena::kill(spender);
    EXPECT_TRUE(Arena::wait(spender).killed);
  }
  const Count count = arena.count();
  EXPECT_EQ(count.orphans, 0);
  EXPECT_EQ(count.broken, 0);
  EXPECT_LE(count.documents, count.charges);
  EXPECT_GT(count.documents, 0);
}

}  // namespace
}  // namespace postern::drill
