// A disk that is full, a ledger that may not be written, a lock that is not given back.

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <sched.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "arena.hpp"

namespace postern::drill {
namespace {

namespace fs = std::filesystem;

void expect_sound(const Count& count) {
  EXPECT_EQ(count.orphans, 0);
  EXPECT_EQ(count.broken, 0);
  EXPECT_LE(count.spent_nano, count.budget_nano);
}

bool out_of_room(const End& end) {
  return end.refused(ErrorCode::disk_full) || end.refused(ErrorCode::ledger_unwritable);
}

TEST(Fault, FilesThatMayNotGrowStopARunCleanly) {
  // The limit falls on the log of the ledger or on the document, wherever it is first met.
  int stopped = 0;
  for (std::uint64_t limit = 0; limit <= 120'000; limit = limit * 3 / 2 + 600) {
    SCOPED_TRACE("files of at most " + std::to_string(limit) + " bytes");
    Arena arena(100);
    Arena::Options options;
    options.count = 12;
    options.file_size_limit = limit;
    const End end = arena.run(options);
    EXPECT_TRUE(end.status == 0 || out_of_room(end)) << end.status;
    stopped += end.status == 0 ? 0 : 1;
    const Count count = arena.count();
    expect_sound(count);
    EXPECT_EQ(count.temporary, 0);
    EXPECT_EQ(arena.run_once().status, 0);
  }
  EXPECT_GE(stopped, 5);
}

/// A disk of a few pages, in a mount namespace of our own.
class SmallDisk {
 public:
  explicit SmallDisk(const std::string& size) {
    std::string name = (fs::temp_directory_path() / "postern-disk-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
    mounted_ = ::unshare(CLONE_NEWNS) == 0 &&
               ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
               ::mount("tmpfs", root_.c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (mounted_) ::umount(root_.c_str());
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  [[nodiscard]] bool mounted() const { return mounted_; }
  [[nodiscard]] const std::string& root() const { return root_; }

 private:
  std::string root_;
  bool mounted_ = false;
};

TEST(Fault, AFullDiskStopsARunCleanly) {
  for (int filler = 0; filler < 12; ++filler) {
    const SmallDisk disk("400k");
    if (!disk.mounted()) GTEST_SKIP() << "mounting needs root";
    fs::create_directory(disk.root() + "/arena");
    Arena arena(100'000, disk.root() + "/arena");
    // Each page of filler moves the moment at which the disk is full to another write.
    const std::string ballast = disk.root() + "/ballast";
    std::ofstream(ballast) << std::string(static_cast<std::size_t>(filler) * 4096 + 1, 'x') << std::flush;
    const End end = arena.run({});
    EXPECT_TRUE(out_of_room(end)) << end.status;
    fs::remove(ballast);
    for (const fs::directory_entry& entry : fs::directory_iterator(arena.directory())) {
      if (entry.path().extension() != ".json") ADD_FAILURE() << "left behind: " << entry.path();
    }
    if (filler == 0) continue;  // no room even to open it
    const Count count = arena.count();
    expect_sound(count);
    EXPECT_GT(count.documents, 0);
  }
}

TEST(Fault, AReadOnlyLedgerPaysForNothing) {
  Arena arena(10);
  ASSERT_EQ(::chmod(arena.ledger().c_str(), 0400), 0);
  EXPECT_TRUE(arena.run_once().refused(ErrorCode::ledger_unwritable));
  ASSERT_EQ(::chmod(arena.ledger().c_str(), 0600), 0);
  const Count count = arena.count();
  EXPECT_EQ(count.charges, 0);
  EXPECT_EQ(count.documents, 0);
}

TEST(Fault, ALedgerThatStaysBusyPaysForNothing) {
  Arena arena(10);
  sqlite3* holder = nullptr;
  ASSERT_EQ(sqlite3_open(arena.ledger().c_str(), &holder), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(holder, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_TRUE(arena.run_once(50).refused(ErrorCode::ledger_busy));
  sqlite3_close(holder);
  const Count count = arena.count();
  EXPECT_EQ(count.charges, 0);
  EXPECT_EQ(count.documents, 0);
  EXPECT_EQ(arena.run_once(50).status, 0);
}

}  // namespace
}  // namespace postern::drill
