#include "postern/owner/publish.hpp"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "postern/core/error.hpp"
#include "postern/owner/crash_point.hpp"

#include "durable_file.hpp"

namespace postern::owner {
namespace {

[[noreturn]] void fail(int error, const std::string& path) {
  if (is_out_of_space(error)) {
    throw Error(ErrorCode::disk_full,
                {"no room to write '", from_option(path), "'; free some space and run again"});
  }
  if (error == EEXIST) {
    throw Error(ErrorCode::output_exists,
                {"'", from_option(path), "' exists; choose another name, or --force to replace it"});
  }
  throw Error(ErrorCode::output_unwritable,
              {"cannot write '", from_option(path), "'; check that its directory exists and may be written"});
}

bool is_database(const std::string& path) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  std::array<char, kMagic.size()> start{};
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  return file.get() >= 0 &&
         ::read(file.get(), start.data(), start.size()) == static_cast<ssize_t>(start.size()) &&
         kMagic == std::string_view(start.data(), start.size());
}

void check_place(const std::string& path, bool force) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return;
  if (is_database(path)) {
    throw Error(ErrorCode::output_exists,
                {"'", from_option(path),
                 "' is a database, perhaps a ledger, and is not replaced; choose another name"});
  }
  if (S_ISDIR(status.st_mode)) {
    throw Error(ErrorCode::output_unwritable, {"'", from_option(path), "' is a directory; name a file"});
  }
  if (!force) fail(EEXIST, path);
}

}  // namespace

void check_publishable(const std::string& path, bool force, std::uint64_t expected_bytes) {
  if (path.empty() || path.back() == '/') fail(ENOENT, path);
  check_place(path, force);
  // Permission bits, read-only mounts, quotas and free space all at once: try it.
  const RemoveUnlessKept probe(temporary_name(path));
  const Descriptor file(::open(probe.path().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file.get() < 0) fail(errno, path);
  if (expected_bytes == 0) return;
  if (const int error = ::posix_fallocate(file.get(), 0, static_cast<off_t>(expected_bytes)); error != 0) {
    fail(error, path);
  }
}

void publish_document(const std::string& path, std::string_view bytes, bool force) {
  RemoveUnlessKept temporary(temporary_name(path));
  if (const int error = write_new_file(temporary.path(), bytes); error != 0) fail(error, path);
  crash_point(CrashPoint::after_temporary_write);
  check_place(path, force);
  crash_point(CrashPoint::before_rename);
  if (const int error = rename_file(temporary.path(), path, force); error != 0) fail(error, path);
  temporary.keep();
  crash_point(CrashPoint::after_rename);
  if (const int error = sync_directory_of(path); error != 0) fail(error, path);
}

}  // namespace postern::owner
