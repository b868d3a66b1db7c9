#include "postern/owner/publish.hpp"

#include <csignal>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "ledger/draft_file.hpp"
#include "ledger_fixture.hpp"

namespace postern::owner {
namespace {

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {(std::istreambuf_iterator<char>(file)), {}};
}

class PublishTest : public LedgerTest {
 protected:
  const std::string out_ = directory_ + "/survey.release.json";
  [[nodiscard]] std::size_t files() const {
    const std::filesystem::directory_iterator all(directory_);
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }
};

TEST_F(PublishTest, WritesAPrivateFileAndNothingElse) {
  check_publishable(out_, false);
  EXPECT_EQ(files(), 0U);
  publish_document(out_, "{}\n", false);
  EXPECT_EQ(read(out_), "{}\n");
  EXPECT_EQ(files(), 1U);
  struct stat status {};
  ASSERT_EQ(::stat(out_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(PublishTest, ReplacesOnlyByForce) {
  publish_document(out_, "old", false);
  EXPECT_EQ(refusal([&] { check_publishable(out_, false); }), ErrorCode::output_exists);
  EXPECT_EQ(refusal([&] { publish_document(out_, "new", false); }), ErrorCode::output_exists);
  EXPECT_EQ(read(out_), "old");
  check_publishable(out_, true);
  EXPECT_EQ(read(out_), "old");
  publish_document(out_, "new", true);
  EXPECT_EQ(read(out_), "new");
  EXPECT_EQ(files(), 1U);
}

TEST_F(PublishTest, ALedgerIsNotReplacedEvenByForce) {
  Ledger::create(path_, make_terms(make_study(), "1"));
  EXPECT_EQ(refusal([&] { check_publishable(path_, true); }), ErrorCode::output_exists);
  EXPECT_EQ(refusal([&] { publish_document(path_, "new", true); }), ErrorCode::output_exists);
  EXPECT_EQ(Ledger::open(path_).verify_chain(), 1U);
}

TEST_F(PublishTest, FilesOfALedgerAreNeverWritten) {
  Ledger::create(path_, make_terms(make_study(), "1"));
  for (const char* tail : {".key", "-journal", "-wal", "-shm"}) {
    EXPECT_EQ(refusal([&] { check_publishable(path_ + tail, true); }), ErrorCode::output_exists) << tail;
    EXPECT_EQ(refusal([&] { publish_document(path_ + tail, "new", true); }), ErrorCode::output_exists)
        << tail;
  }
  EXPECT_EQ(files(), 2U);
  EXPECT_EQ(Ledger::open(path_).verify_chain(), 1U);
}

TEST_F(PublishTest, OnlyAFileIsReplaced) {
  const std::string pipe = directory_ + "/pipe";
  const std::string link = directory_ + "/link";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  publish_document(out_, "old", false);
  std::filesystem::create_symlink(out_, link);
  for (const std::string& place : {pipe, link, std::string("/dev/null")}) {
    EXPECT_EQ(refusal([&] { check_publishable(place, true); }), ErrorCode::output_unwritable) << place;
    EXPECT_EQ(refusal([&] { publish_document(place, "new", true); }), ErrorCode::output_unwritable) << place;
  }
  EXPECT_EQ(read(out_), "old");
  EXPECT_EQ(files(), 3U);
}

TEST_F(PublishTest, TemporaryFilesOfTheDeadAreCleared) {
  const std::string stale = directory_ + "/.survey.release.json.0123456789abcdef.tmp";
  const std::string held = directory_ + "/.survey.release.json.fedcba9876543210.tmp";
  for (const std::string& file : {stale, held}) std::ofstream(file) << "half";
  const int lock = ::open(held.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(lock, LOCK_EX | LOCK_NB), 0);  // its maker lives
  check_publishable(out_, true);
  EXPECT_FALSE(std::filesystem::exists(stale));
  EXPECT_TRUE(std::filesystem::exists(held));
  ::close(lock);
}

TEST_F(PublishTest, ADraftThatMayNotBeLinkedIsWrittenAgain) {
  for (const bool replace : {false, true}) {
    DraftFile draft(out_);
    ASSERT_EQ(draft.open(), 0);
    ASSERT_EQ(draft.write("whole", 0640), 0);
    if (!draft.has_name()) {
      ASSERT_EQ(draft.take_temporary_name(), 0);
    }
    EXPECT_EQ(files(), replace ? 2U : 1U);
    ASSERT_EQ(draft.publish(replace), 0);
    EXPECT_EQ(read(out_), "whole");
    struct stat status {};
    ASSERT_EQ(::stat(out_.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0640U);
  }
  DraftFile late(out_);
  ASSERT_EQ(late.open(), 0);
  ASSERT_EQ(late.take_temporary_name(), 0);
  EXPECT_EQ(late.publish(false), EEXIST);
}

TEST_F(PublishTest, ADocumentMayBePublic) {
  publish_document(out_, "{}", false, 0644);
  struct stat status {};
  ASSERT_EQ(::stat(out_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0644U);
}

TEST_F(PublishTest, RefusesPlacesThatTakeNoFile) {
  for (const std::string& place :
       {directory_ + "/no/such/file", directory_, directory_ + "/", std::string()}) {
    EXPECT_EQ(refusal([&] { check_publishable(place, true); }), ErrorCode::output_unwritable) << place;
  }
  std::filesystem::create_directory(out_);
  EXPECT_EQ(refusal([&] { check_publishable(out_, true); }), ErrorCode::output_unwritable);
  EXPECT_EQ(refusal([&] { publish_document(out_, "new", true); }), ErrorCode::output_unwritable);
  EXPECT_EQ(files(), 1U);
}

/// Files of this process may not grow past `bytes` while it lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : before_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit low{bytes, limit_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &low);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, before_);
  }

 private:
  void (*before_)(int);
  rlimit limit_{};
};

TEST_F(PublishTest, AFullDiskLeavesNothingHalfWritten) {
  publish_document(out_, "old", false);
  {
    const FileSizeLimit limit(1000);
    EXPECT_EQ(refusal([&] { publish_document(out_, std::string(5000, 'x'), true); }), ErrorCode::disk_full);
    EXPECT_EQ(refusal([&] { check_publishable(out_, true, 5000); }), ErrorCode::disk_full);
    check_publishable(out_, true, 500);
  }
  EXPECT_EQ(read(out_), "old");
  EXPECT_EQ(files(), 1U);
}

}  // namespace
}  // namespace postern::owner
