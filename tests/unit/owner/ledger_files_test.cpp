#include <sys/stat.h>
#include <unistd.h>

#include "ledger/chain.hpp"
#include "ledger/files.hpp"
#include "ledger_fixture.hpp"

namespace postern::owner {
namespace {

void write(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  ::chmod(path.c_str(), 0600);
}

class LedgerFilesTest : public LedgerTest {
 protected:
  LedgerFilesTest() { Ledger::create(path_, make_terms(make_study(), "1")); }
  [[nodiscard]] ErrorCode refused() const {
    return refusal([&] { Ledger::open(path_); });
  }
};

TEST_F(LedgerFilesTest, IsNeverReplaced) {
  const DatasetTerms terms = make_terms(make_study(), "1");
  EXPECT_EQ(refusal([&] { Ledger::create(path_, terms); }), ErrorCode::ledger_exists);
  std::filesystem::remove(path_);
  EXPECT_EQ(refusal([&] { Ledger::create(path_, terms); }),
            ErrorCode::ledger_exists);  // its key is still there
  EXPECT_EQ(refused(), ErrorCode::ledger_missing);
}

TEST_F(LedgerFilesTest, AFailedFoundingLeavesNothing) {
  const DatasetTerms terms = make_terms(make_study(), "1");
  EXPECT_EQ(refusal([&] { Ledger::create(directory_ + "/no/such/place", terms); }),
            ErrorCode::output_unwritable);
  EXPECT_EQ(refusal([&] { Ledger::create(directory_ + "/", terms); }), ErrorCode::output_unwritable);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
    static_cast<void>(entry);
    ++files;
  }
  EXPECT_EQ(files, 2U);  // the fixture's ledger and key
}

TEST_F(LedgerFilesTest, MissingPartsAreRefused) {
  EXPECT_EQ(refusal([&] { Ledger::open(directory_ + "/other.ledger"); }), ErrorCode::ledger_missing);
  EXPECT_EQ(refusal([&] { Ledger::open(directory_ + "/no/such/other.ledger"); }), ErrorCode::ledger_missing);
  std::filesystem::remove(path_ + ".key");
  EXPECT_EQ(refused(), ErrorCode::ledger_missing);
}

TEST_F(LedgerFilesTest, ReadableByOthersIsRefused) {
  for (const std::string& file : {path_, path_ + ".key"}) {
    for (const mode_t mode : {0640U, 0604U, 0620U, 0660U}) {
      ASSERT_EQ(::chmod(file.c_str(), mode), 0);
      EXPECT_EQ(refused(), ErrorCode::ledger_exposed);
    }
    ASSERT_EQ(::chmod(file.c_str(), 0600), 0);
  }
  Ledger::open(path_);
}

TEST_F(LedgerFilesTest, LinksAreRefused) {
  const std::string link = directory_ + "/link.ledger";
  std::filesystem::create_symlink(path_, link);
  std::filesystem::copy_file(path_ + ".key", link + ".key");
  EXPECT_EQ(refusal([&] { Ledger::open(link); }), ErrorCode::ledger_exposed);
  std::filesystem::remove(link);
  std::filesystem::create_hard_link(path_, link);
  EXPECT_EQ(refusal([&] { Ledger::open(link); }), ErrorCode::ledger_exposed);
  EXPECT_EQ(refused(), ErrorCode::ledger_exposed);
}

TEST_F(LedgerFilesTest, ALinkedDirectoryIsFine) {
  const std::string door = directory_ + "-door";
  std::filesystem::create_directory_symlink(directory_, door);
  EXPECT_EQ(Ledger::open(door + "/survey.ledger").verify_chain(), 1U);
  std::filesystem::remove(door);
}

TEST_F(LedgerFilesTest, OtherFilesAreForeign) {
  std::filesystem::remove(path_);
  write(path_, "");
  EXPECT_EQ(refused(), ErrorCode::ledger_foreign);
  write(path_, std::string(5000, 'x'));
  EXPECT_EQ(refused(), ErrorCode::ledger_foreign);
  std::filesystem::remove(path_);
  ASSERT_TRUE(Stranger(path_).run("CREATE TABLE t(x); INSERT INTO t VALUES (1)"));
  ::chmod(path_.c_str(), 0600);
  EXPECT_EQ(refused(), ErrorCode::ledger_foreign);
  std::filesystem::remove(path_);
  std::filesystem::create_directory(path_);
  EXPECT_EQ(refused(), ErrorCode::ledger_foreign);
}

TEST_F(LedgerFilesTest, ANewerFormIsForeign) {
  ASSERT_TRUE(Stranger(path_).run("PRAGMA user_version = 2"));
  EXPECT_EQ(refused(), ErrorCode::ledger_foreign);
  ASSERT_TRUE(Stranger(path_).run("PRAGMA user_version = 0"));
  EXPECT_EQ(refused(), ErrorCode::ledger_tampered);
}

TEST_F(LedgerFilesTest, AKeyIsSixtyFourHexDigits) {
  for (const std::string& text : {std::string(), std::string(64, 'a'), std::string(63, 'a') + "\n",
                                  std::string(64, 'g') + "\n", std::string(64, 'a') + "\n\n"}) {
    write(path_ + ".key", text);
    EXPECT_EQ(refused(), ErrorCode::ledger_foreign) << text;
  }
}

TEST_F(LedgerFilesTest, ReadOnlyIsRefused) {
  ASSERT_EQ(::chmod(path_.c_str(), 0400), 0);
  EXPECT_EQ(refused(), ErrorCode::ledger_unwritable);
}

TEST_F(LedgerFilesTest, DamagedPagesAreRefusedWithoutACrash) {
  const auto size = std::filesystem::file_size(path_);
  std::ifstream file(path_, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  for (std::size_t at = 100; at < size; at += 997) {
    std::string damaged = bytes;
    damaged.replace(at, 64, 64, '\xff');
    write(path_, damaged.substr(0, size));
    try {
      Ledger::open(path_);  // empty space between cells may be damaged without harm
    } catch (const Error& error) {
      EXPECT_TRUE(error.code() == ErrorCode::ledger_tampered || error.code() == ErrorCode::ledger_foreign)
          << at << ' ' << error_name(error.code());
    }
    std::filesystem::remove(path_ + "-journal");
  }
}

TEST_F(LedgerFilesTest, ALongBookIsWalkedFromItsStart) {
  const Chain chain(LedgerKey::read(path_ + ".key"));
  {
    const Database database = Database::open(path_, Database::kPatience);
    Head head = chain.verify(database, Head{});
    Transaction transaction(database, Access::write);
    for (int i = 0; i < 10'050; ++i) {
      head = chain.append(
          database, head, LinkKind::event,
          {std::string("new-records"), Cell(), Cell(), std::string(32, 'c'), std::string("now")});
    }
    transaction.commit();
  }
  EXPECT_EQ(Ledger::open(path_).verify_chain(), 10'051U);
  ASSERT_TRUE(Stranger(path_).run_unguarded("UPDATE event SET at = 'then' WHERE seq = 7"));
  EXPECT_EQ(refused(), ErrorCode::ledger_tampered);
}

TEST(LedgerFiles, NetworkFileSystemsAreKnown) {
  EXPECT_TRUE(is_network_file_system(0x6969));
  EXPECT_TRUE(is_network_file_system(0xff534d42));
  EXPECT_TRUE(is_network_file_system(0x01021997));
  EXPECT_TRUE(is_network_file_system(0x65735546));
  EXPECT_FALSE(is_network_file_system(0xef53));      // ext4
  EXPECT_FALSE(is_network_file_system(0x58465342));  // xfs
  EXPECT_FALSE(is_network_file_system(0x9123683e));  // btrfs
  EXPECT_FALSE(is_network_file_system(0x01021994));  // tmpfs
}

}  // namespace
}  // namespace postern::owner
