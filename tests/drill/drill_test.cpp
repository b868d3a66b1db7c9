// Kills at any moment, races for the last of a budget, and a death at every numbered point.

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "postern/owner/crash_point.hpp"

#include "arena.hpp"

namespace postern::drill {
namespace {

using std::chrono::microseconds;
constexpr int kSpenders = 4;
constexpr long kKillsPerLedger = 200;
constexpr std::int64_t kRoomy = 5'000'000;

long kills_wanted() {
  if (const char* text = std::getenv("POSTERN_DRILL_KILLS")) return std::strtol(text, nullptr, 10);
  return std::getenv("POSTERN_LONG") != nullptr ? 100'000 : 1'000;
}

void expect_sound(const Count& count) {
  EXPECT_EQ(count.orphans, 0);
  EXPECT_EQ(count.broken, 0);
  EXPECT_LE(count.spent_nano, count.budget_nano);
  EXPECT_LE(count.documents, count.charges);
}

void report(const char* what, long kills, const Count& count) {
  std::cout << what << ": " << kills << " kills, " << count.charges << " charges, " << count.documents
            << " documents, " << count.charges - count.documents << " charged without document, "
            << count.orphans << " documents without charge, " << count.temporary << " temporary files, spent "
            << count.spent_nano << " of " << count.budget_nano << " nano\n";
}

/// Up to half of what one spender takes for one document: with four of them each lives about as long as that,
/// so that victims die at every stage of their work on any machine.
class Pause {
 public:
  Pause(Arena& arena, unsigned seed) : random_(seed) {
    using std::chrono::steady_clock;
    microseconds quickest = microseconds(200'000);
    for (int i = 0; i < 5; ++i) {
      const auto begin = steady_clock::now();
      EXPECT_EQ(arena.run_once().status, 0);
      quickest = std::min(quickest, std::chrono::duration_cast<microseconds>(steady_clock::now() - begin));
    }
    longest_ = static_cast<int>(quickest.count() / 2);
  }
  void take() {
    std::this_thread::sleep_for(microseconds(std::uniform_int_distribution<int>(0, longest_)(random_)));
  }
  std::size_t pick(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }

 private:
  std::mt19937 random_;
  int longest_ = 0;
};

/// Keeps four spenders running and kills one of them after a random while, again and again.
class Slayer {
 public:
  Slayer(Arena& arena, unsigned seed) : arena_(arena), pause_(arena, seed) {
    for (pid_t& spender : spenders_) spender = arena_.start({});
  }
  Slayer(const Slayer&) = delete;
  Slayer& operator=(const Slayer&) = delete;
  ~Slayer() {
    for (const pid_t spender : spenders_) {
      Arena::kill(spender);
      Arena::wait(spender);
    }
  }
  /// How the victim ended: killed by us, or on its own before.
  End kill_one() {
    pause_.take();
    pid_t& victim = spenders_[pause_.pick(kSpenders)];
    Arena::kill(victim);
    const End end = Arena::wait(victim);
    victim = arena_.start({});
    return end;
  }
  /// Stops all four where they are, and comes back when they stand.
  void freeze() const {
    for (const pid_t spender : spenders_) {
      int status = 0;
      ::kill(spender, SIGSTOP);
      ::waitpid(spender, &status, WUNTRACED);
    }
  }
  void thaw() const {
    for (const pid_t spender : spenders_) ::kill(spender, SIGCONT);
  }

 private:
  Arena& arena_;
  Pause pause_;
  std::array<pid_t, kSpenders> spenders_{};
};

TEST(Drill, KillsNeverLeaveADocumentWithoutItsCharge) {
  const long kills = kills_wanted();
  Count total;
  // A fresh ledger now and then: on a long one, victims would mostly die while they walk its chain.
  for (long done = 0; done < kills; done += kKillsPerLedger) {
    Arena arena(kRoomy);
    {
      Slayer slayer(arena, static_cast<unsigned>(1 + done));
      for (long i = 0; i < std::min(kKillsPerLedger, kills - done); ++i) {
        const End end = slayer.kill_one();
        ASSERT_TRUE(end.killed) << "a spender gave up with status " << end.status;
      }
    }
    const Count count = arena.count();
    expect_sound(count);
    arena.reconcile();
    EXPECT_EQ(arena.count().noted, count.documents);
    total += count;
  }
  report("roomy", kills, total);
  EXPECT_GT(total.documents, kills / 10);  // else nobody got anywhere and nothing was tested
  EXPECT_GT(total.charges, total.documents);
}

TEST(Drill, ATightBudgetIsSpentToTheLastNano) {
  constexpr std::int64_t kReleases = 300;
  constexpr long kMostKills = 150;
  Arena arena(kReleases);
  Pause pause(arena, 2);
  long kills = 0;
  std::vector<pid_t> running = arena.start_together(kSpenders, {});
  while (!running.empty()) {
    const std::size_t at = pause.pick(running.size());
    if (kills < kMostKills) {  // then the survivors may finish
      pause.take();
      Arena::kill(running[at]);
    }
    const End end = Arena::wait(running[at]);
    running.erase(running.begin() + static_cast<std::ptrdiff_t>(at));
    if (end.killed) {
      ++kills;
      running.push_back(arena.start({}));
    } else {
      EXPECT_TRUE(end.refused(ErrorCode::budget_exhausted)) << end.status;
    }
  }
  const Count count = arena.count();
  report("tight", kills, count);
  expect_sound(count);
  EXPECT_EQ(count.spent_nano, count.budget_nano);
  EXPECT_EQ(count.charges, kReleases);
}

TEST(Drill, ARaceForTheLastIsWonOnce) {
  for (int round = 0; round < 15; ++round) {
    Arena arena(3);
    int refused = 0;
    for (const pid_t spender : arena.start_together(kSpenders, {})) {
      refused += Arena::wait(spender).refused(ErrorCode::budget_exhausted) ? 1 : 0;
    }
    EXPECT_EQ(refused, kSpenders);
    const Count count = arena.count();
    expect_sound(count);
    EXPECT_EQ(count.documents, 3);
    EXPECT_EQ(count.noted, 3);
    EXPECT_EQ(count.spent_nano, count.budget_nano);
  }
}

struct Stop {
  owner::CrashPoint point;
  std::int64_t charges;
  std::int64_t documents;
  std::int64_t noted;
  std::int64_t temporary;
};

TEST(Drill, EveryNumberedPointLeavesWhatItShould) {
  using owner::CrashPoint;
  const std::array<Stop, 8> stops{{{CrashPoint::before_charge_commit, 0, 0, 0, 0},
                                   {CrashPoint::after_charge_commit, 1, 0, 0, 0},
                                   {CrashPoint::after_noise, 1, 0, 0, 0},
                                   {CrashPoint::after_temporary_write, 1, 0, 0, 0},
                                   {CrashPoint::before_rename, 1, 0, 0, 0},
                                   {CrashPoint::after_rename, 1, 1, 0, 0},
                                   {CrashPoint::before_event_commit, 1, 1, 0, 0},
                                   {CrashPoint::after_event_commit, 1, 1, 1, 0}}};
  for (const Stop& stop : stops) {
    const std::string number = std::to_string(static_cast<int>(stop.point));
    SCOPED_TRACE("point " + number);
    Arena arena(10);
    Arena::Options options;
    options.count = 1;
    options.environment = {{"POSTERN_CRASH_AT", number}};
    const End end = arena.run(options);
    EXPECT_TRUE(end.killed && end.status == SIGKILL);
    Count count = arena.count();
    expect_sound(count);
    EXPECT_EQ(count.charges, stop.charges);
    EXPECT_EQ(count.documents, stop.documents);
    EXPECT_EQ(count.noted, stop.noted);
    EXPECT_EQ(count.temporary, stop.temporary);
    EXPECT_EQ(arena.reconcile(), static_cast<std::uint64_t>(stop.documents - stop.noted));
    // The next one is not hindered, and pays for itself.
    EXPECT_EQ(arena.run_once().status, 0);
    count = arena.count();
    expect_sound(count);
    EXPECT_EQ(count.charges, stop.charges + 1);
    EXPECT_EQ(count.noted, stop.documents + 1);
  }
}

TEST(Drill, ACopyOfAnyMomentIsASoundLedger) {
  namespace fs = std::filesystem;
  Arena arena(kRoomy);
  Slayer slayer(arena, 3);
  const std::string copy = arena.root() + "/copy.ledger";
  for (int i = 0; i < 25; ++i) {
    slayer.kill_one();
    slayer.freeze();
    // The database and its journal: what a disk holds when the power goes.
    for (const char* tail : {"", "-journal", ".key"}) {
      if (fs::exists(arena.ledger() + tail)) fs::copy_file(arena.ledger() + tail, copy + tail);
    }
    expect_sound(arena.count(copy));
    slayer.thaw();
    for (const char* tail : {"", "-journal", ".key"}) fs::remove(copy + tail);
  }
}

TEST(Drill, ACopyOfLedgerAndKeyHasTheCharge) {
  namespace fs = std::filesystem;
  using owner::CrashPoint;
  // Killed once the charge was committed, and later: whatever else happened, the two files hold the charge.
  for (const CrashPoint point :
       {CrashPoint::after_charge_commit, CrashPoint::after_noise, CrashPoint::after_rename,
        CrashPoint::before_event_commit, CrashPoint::after_event_commit}) {
    SCOPED_TRACE("point " + std::to_string(static_cast<int>(point)));
    Arena arena(10);
    Arena::Options options;
    options.count = 1;
    options.environment = {{"POSTERN_CRASH_AT", std::to_string(static_cast<int>(point))}};
    EXPECT_TRUE(arena.run(options).killed);
    const std::string copy = arena.root() + "/copy.ledger";
    for (const char* tail : {"", ".key"}) fs::copy_file(arena.ledger() + tail, copy + tail);
    const Count count = arena.count(copy);
    expect_sound(count);
    EXPECT_EQ(count.charges, 1);
  }
}

TEST(Drill, AKilledFoundingIsToldApartFromALedger) {
  namespace fs = std::filesystem;
  using owner::CrashPoint;
  for (const CrashPoint point : {CrashPoint::after_new_key, CrashPoint::before_new_ledger}) {
    Arena arena(1);
    fs::create_directory(arena.root() + "/new");
    const std::string ledger = arena.root() + "/new/drill.ledger";
    EXPECT_TRUE(arena.found(ledger, {{"POSTERN_CRASH_AT", std::to_string(static_cast<int>(point))}}).killed);
    EXPECT_FALSE(fs::exists(ledger));
    EXPECT_TRUE(arena.found(ledger, {}).refused(ErrorCode::ledger_exists));  // its key is there
    EXPECT_TRUE(fs::remove(ledger + ".key"));
    EXPECT_EQ(arena.found(ledger, {}).status, 0);
    EXPECT_EQ(owner::Ledger::open(ledger).verify_chain(), 1U);
    EXPECT_EQ(std::distance(fs::directory_iterator(arena.root() + "/new"), {}), 2);  // and no draft
  }
}

TEST(Drill, ABackupOfABusyLedgerHasEveryChargeUntilThen) {
  Arena arena(kRoomy);
  Slayer slayer(arena, 4);
  for (int i = 0; i < 15; ++i) {
    slayer.kill_one();
    const std::string copy = arena.root() + "/backup-" + std::to_string(i) + ".ledger";
    const owner::Ledger ledger = owner::Ledger::open(arena.ledger());
    const auto before = static_cast<std::int64_t>(ledger.balance().charges);
    static_cast<void>(ledger.backup(copy));
    const auto after = static_cast<std::int64_t>(ledger.balance().charges);
    const owner::Balance copied = owner::Ledger::open(copy).balance();
    EXPECT_LE(before, static_cast<std::int64_t>(copied.charges));
    EXPECT_GE(after, static_cast<std::int64_t>(copied.charges));
  }
}

}  // namespace
}  // namespace postern::drill
