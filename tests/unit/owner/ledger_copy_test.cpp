// Copies of a ledger: what they hold, and what becomes of a ledger that is exchanged for one.

#include <cctype>

#include <sys/stat.h>

#include "ledger/chain.hpp"
#include "ledger_fixture.hpp"

namespace postern::owner {
namespace {

namespace fs = std::filesystem;
constexpr auto kOver = fs::copy_options::overwrite_existing;

template <class Action>
std::string words(Action&& action) {
  try {
    std::forward<Action>(action)();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

class LedgerCopyTest : public LedgerTest {
 protected:
  LedgerCopyTest() { Ledger::create(path_, make_terms(study_, "10")); }

  void copy(const std::vector<std::string>& tails) const {
    for (const std::string& tail : tails) fs::copy_file(path_ + tail, copy_ + tail, kOver);
  }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory_)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
  /// Adds a row as an earlier Postern did: into a write-ahead log. Copies the files while they are in use.
  void copy_with_log() const {
    const Chain chain(LedgerKey::read(path_ + ".key"));
    const Database database = Database::open(path_, Database::kPatience);
    ASSERT_EQ(database.text("PRAGMA journal_mode = WAL"), "wal");
    const Head head = chain.verify(database, Head{});
    Transaction transaction(database, Access::write);
    chain.append(database, head, LinkKind::event,
                 {std::string("new-records"), Cell(), Cell(), std::string(32, 'c'), std::string("now")});
    transaction.commit();
    copy({"", "-wal", ".key"});
  }

  const model::Study study_ = make_study();
  const std::string copy_ = directory_ + "/copy.ledger";
};

TEST_F(LedgerCopyTest, TheFileAloneHoldsEveryCharge) {
  Ledger ledger = Ledger::open(path_);
  static_cast<void>(ledger.charge(study_, make_plan(study_, "9"), entropy_));
  copy({"", ".key"});  // while the ledger is open
  Ledger other = Ledger::open(copy_);
  EXPECT_EQ(other.balance().left.text(), "1");
  EXPECT_EQ(refusal([&] { static_cast<void>(other.charge(study_, make_plan(study_, "2"), entropy_)); }),
            ErrorCode::budget_exhausted);
  EXPECT_EQ(files(), (std::vector<std::string>{"copy.ledger", "copy.ledger.key", "survey.ledger",
                                               "survey.ledger.key"}));
}

TEST_F(LedgerCopyTest, ALedgerWithALogIsMadeOneFile) {
  copy_with_log();
  EXPECT_EQ(Ledger::open(copy_).verify_chain(), 2U);
  EXPECT_FALSE(fs::exists(copy_ + "-wal"));
  EXPECT_EQ(Stranger(copy_).text("PRAGMA journal_mode"), "delete\n");
  EXPECT_EQ(Ledger::open(path_).verify_chain(), 2U);
}

TEST_F(LedgerCopyTest, ALogOfAnotherCopyIsNotBelieved) {
  copy_with_log();
  Ledger::open(path_);
  fs::copy_file(copy_ + "-wal", path_ + "-wal");
  EXPECT_EQ(refusal([&] { Ledger::open(path_); }), ErrorCode::ledger_foreign);
  EXPECT_NE(words([&] { Ledger::open(path_); }).find("move the log away"), std::string::npos);
  fs::remove(path_ + "-wal");
  EXPECT_EQ(Ledger::open(path_).verify_chain(), 2U);
}

TEST_F(LedgerCopyTest, ALogThatAppearsUnderAnOpenLedgerTakesNoCharge) {
  Ledger ledger = Ledger::open(path_);
  Stranger earlier(path_);
  ASSERT_TRUE(earlier.run("PRAGMA journal_mode = WAL; SELECT * FROM charge"));
  EXPECT_EQ(refusal([&] { static_cast<void>(ledger.charge(study_, make_plan(study_, "1"), entropy_)); }),
            ErrorCode::ledger_busy);
}

TEST_F(LedgerCopyTest, ABackupIsAWholeLedger) {
  Ledger ledger = Ledger::open(path_);
  const ChargeToken token = ledger.charge(study_, make_plan(study_, "9"), entropy_);
  EXPECT_EQ(ledger.backup(copy_), 2U);
  for (const char* tail : {"", ".key"}) {
    struct stat status {};
    ASSERT_EQ(::stat((copy_ + tail).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
  }
  const Ledger other = Ledger::open(copy_);
  EXPECT_EQ(other.verify_chain(), 2U);
  EXPECT_EQ(other.balance().left.text(), "1");
  EXPECT_TRUE(other.find_charge(token.release_id()));
  static_cast<void>(ledger.charge(study_, make_plan(study_, "1"), entropy_));  // the ledger itself goes on
  EXPECT_EQ(files().size(), 4U);
}

TEST_F(LedgerCopyTest, ABackupReplacesNothing) {
  const Ledger ledger = Ledger::open(path_);
  EXPECT_EQ(refusal([&] { ledger.backup(path_); }), ErrorCode::ledger_exists);
  EXPECT_EQ(refusal([&] { ledger.backup(directory_ + "/no/such/copy"); }), ErrorCode::output_unwritable);
  for (const char* tail : {".key", "-journal", "-wal", ""}) {
    std::ofstream(copy_ + tail) << "mine";
    EXPECT_EQ(refusal([&] { ledger.backup(copy_); }), ErrorCode::ledger_exists) << tail;
    EXPECT_EQ(fs::file_size(copy_ + tail), 4U);
    fs::remove(copy_ + tail);
  }
  EXPECT_EQ(files().size(), 2U);
}

TEST_F(LedgerCopyTest, ALedgerWhoseFileIsGoneRefuses) {
  for (const bool replaced : {false, true}) {
    Ledger ledger = Ledger::open(path_);
    copy({""});
    fs::remove(path_);
    if (replaced) fs::rename(copy_, path_);
    EXPECT_EQ(refusal([&] { static_cast<void>(ledger.balance()); }), ErrorCode::ledger_missing);
    EXPECT_EQ(refusal([&] { static_cast<void>(ledger.charge(study_, make_plan(study_, "1"), entropy_)); }),
              ErrorCode::ledger_missing);
    EXPECT_EQ(refusal([&] { static_cast<void>(ledger.verify_chain()); }), ErrorCode::ledger_missing);
    EXPECT_EQ(ledger.charges_made(), 0U);
    if (!replaced) fs::rename(copy_, path_);
  }
  EXPECT_EQ(Ledger::open(path_).balance().left.text(), "10");
}

TEST_F(LedgerCopyTest, AnOlderCopyWrittenOverAnOpenLedgerIsSeen) {
  Ledger ledger = Ledger::open(path_);
  copy({""});
  static_cast<void>(ledger.charge(study_, make_plan(study_, "9"), entropy_));
  std::ofstream(path_, std::ios::binary) << std::ifstream(copy_, std::ios::binary).rdbuf();  // the same inode
  EXPECT_EQ(refusal([&] { static_cast<void>(ledger.balance()); }), ErrorCode::ledger_tampered);
  EXPECT_EQ(refusal([&] { static_cast<void>(ledger.charge(study_, make_plan(study_, "9"), entropy_)); }),
            ErrorCode::ledger_tampered);
}

TEST_F(LedgerCopyTest, HalvesOfALedgerAreExplained) {
  const DatasetTerms terms = make_terms(study_, "10");
  fs::remove(path_);  // as after a killed `create`
  EXPECT_NE(words([&] { Ledger::open(path_); }).find("although its key"), std::string::npos);
  EXPECT_NE(words([&] { Ledger::create(path_, terms); }).find("remove the key"), std::string::npos);
  fs::rename(path_ + ".key", copy_ + ".key");
  std::ofstream(path_ + "-journal") << "left";
  EXPECT_NE(words([&] { Ledger::create(path_, terms); }).find("-journal' was left"), std::string::npos);
  fs::remove(path_ + "-journal");
  Ledger::create(path_, terms);
  fs::remove(path_ + ".key");
  EXPECT_NE(words([&] { Ledger::open(path_); }).find("has lost its key"), std::string::npos);
}

TEST_F(LedgerCopyTest, WhatAKilledFoundingLeftIsCleared) {
  const std::string stale = directory_ + "/.copy.ledger.0123456789abcdef.tmp";
  for (const std::string& file : {stale, stale + "-journal", directory_ + "/.copy.ledger.mine.tmp"})
    std::ofstream(file) << "left";
  Ledger::create(copy_, make_terms(study_, "10"));
  EXPECT_FALSE(fs::exists(stale));
  EXPECT_FALSE(fs::exists(stale + "-journal"));
  EXPECT_TRUE(fs::exists(directory_ + "/.copy.ledger.mine.tmp"));
}

TEST_F(LedgerCopyTest, OtherThingsAreCalledWhatTheyAre) {
  for (const auto& [name, kind] :
       {std::pair{"study.toml", "a study"}, std::pair{"out.json", "a release document"},
        std::pair{"survey.csv", "a file of records"}, std::pair{"survey.ledger.key", "a ledger's key"}}) {
    const std::string path = directory_ + "/" + name;
    if (!fs::exists(path)) std::ofstream(path) << "something else";
    for (const mode_t mode : {0644U, 0600U}) {
      ::chmod(path.c_str(), mode);
      EXPECT_EQ(refusal([&] { Ledger::open(path); }), ErrorCode::ledger_foreign) << name;
      EXPECT_NE(words([&] { Ledger::open(path); }).find(kind), std::string::npos) << name;
    }
  }
}

}  // namespace
}  // namespace postern::owner
