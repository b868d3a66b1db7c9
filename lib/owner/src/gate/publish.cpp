#include "postern/owner/publish.hpp"

#include <cerrno>

#include <sys/stat.h>

#include "postern/core/error.hpp"
#include "postern/owner/crash_point.hpp"

#include "ledger/draft_file.hpp"
#include "ledger/place.hpp"

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

/// Whether the name is that of a ledger, or of a file beside one: the ledger's budget hangs on them, and
/// SQLite believes a journal that lies there. (No ledger is open yet when this is asked.)
bool belongs_to_ledger(const std::string& path) {
  if (is_database(path)) return true;
  for (const std::string& tail : side_files("")) {
    if (path.size() > tail.size() && path.ends_with(tail) &&
        is_database(path.substr(0, path.size() - tail.size())))
      return true;
  }
  return false;
}

/// What stands in a file's place, if that is no file.
const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISLNK(mode)) return "a symbolic link";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return S_ISREG(mode) ? nullptr : "a device";
}

void check_place(const std::string& path, bool force) {
  struct stat status {};
  const bool exists = ::lstat(path.c_str(), &status) == 0;
  const char* kind = exists ? kind_of(status.st_mode) : nullptr;
  if (kind != nullptr) {
    throw Error(ErrorCode::output_unwritable,
                {"'", from_option(path), "' is ", from_study(kind), ", which is not replaced; name a file"});
  }
  if (belongs_to_ledger(path)) {
    throw Error(
        ErrorCode::output_exists,
        {"'", from_option(path),
         "' is a database, perhaps a ledger, or belongs to one, and is not replaced; choose another name"});
  }
  if (exists && !force) fail(EEXIST, path);
}

}  // namespace

void check_publishable(const std::string& path, bool force, std::uint64_t expected_bytes) {
  if (path.empty() || path.back() == '/') fail(ENOENT, path);
  check_place(path, force);
  // Permission bits, read-only mounts, quotas and free space all at once: try it.
  DraftFile probe(path);
  if (const int error = probe.open(); error != 0) fail(error, path);
  if (probe.has_name() || force) DraftFile::remove_stale(path);
  if (const int error = probe.reserve(static_cast<off_t>(expected_bytes)); error != 0) fail(error, path);
}

void publish_document(const std::string& path, std::string_view bytes, bool force, unsigned mode) {
  DraftFile draft(path);
  if (const int error = draft.open(); error != 0) fail(error, path);
  if (const int error = draft.write(bytes, static_cast<mode_t>(mode)); error != 0) fail(error, path);
  crash_point(CrashPoint::after_temporary_write);
  check_place(path, force);
  crash_point(CrashPoint::before_rename);
  if (const int error = draft.publish(force); error != 0) fail(error, path);
  crash_point(CrashPoint::after_rename);
  if (const int error = sync_directory_of(path); error != 0) fail(error, path);
}

}  // namespace postern::owner
