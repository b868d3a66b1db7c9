#include "draft_file.hpp"

#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

namespace postern::owner {
namespace {

/// How the kernel calls an open file that has no name.
std::string door_to(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

}  // namespace

int DraftFile::open() {
  if (open_nameless() == 0) return 0;
  return open_named();
}

int DraftFile::open_nameless() {
  file_.emplace(::open(directory_of(path_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file_->get() < 0) return errno;
  return ::access(door_to(file_->get()).c_str(), F_OK) == 0 ? 0 : errno;
}

int DraftFile::open_named() {
  for (;;) {
    const std::string name = temporary_name(path_);
    file_.emplace(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (file_->get() < 0) return errno;
    named_.emplace(name);
    struct stat status {};
    if (::flock(file_->get(), LOCK_EX | LOCK_NB) == 0 && ::fstat(file_->get(), &status) == 0 &&
        status.st_nlink > 0) {
      return 0;
    }
    if (errno == EOPNOTSUPP || errno == ENOLCK) return 0;  // no locks here: then nobody can take it for stale
  }
}

int DraftFile::reserve(off_t bytes) const {
  return bytes == 0 ? 0 : ::posix_fallocate(file_->get(), 0, bytes);
}

int DraftFile::write(std::string_view bytes, mode_t mode) const {
  if (const int error = write_all(file_->get(), bytes); error != 0) return error;
  return ::fchmod(file_->get(), mode) == 0 && ::fsync(file_->get()) == 0 ? 0 : errno;
}

int DraftFile::link_to(const std::string& name) const {
  const std::string door = door_to(file_->get());
  return ::linkat(AT_FDCWD, door.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

int DraftFile::take_temporary_name() {
  const Descriptor nameless(std::move(*file_));
  struct stat status {};
  if (::fstat(nameless.get(), &status) != 0) return errno;
  if (const int error = open_named(); error != 0) return error;
  off_t at = 0;
  while (at < status.st_size) {
    const auto left = static_cast<std::size_t>(status.st_size - at);
    if (::sendfile(file_->get(), nameless.get(), &at, left) <= 0) return errno == 0 ? EIO : errno;
  }
  return write({}, status.st_mode & 0777U);
}

int DraftFile::publish(bool replace) {
  if (!named_) {
    // Only a rename replaces, and it needs a name; locked before it has one, so that it is not taken for
    // stale.
    if (replace) static_cast<void>(::flock(file_->get(), LOCK_EX | LOCK_NB));
    const std::string name = replace ? temporary_name(path_) : path_;
    const int error = link_to(name);
    if (!replace && (error == 0 || error == EEXIST)) return error;
    if (error == 0) named_.emplace(name);
  }
  if (!named_) {  // a security policy may forbid to link what has no name
    if (const int error = take_temporary_name(); error != 0) return error;
  }
  if (const int error = rename_file(named_->path(), path_, replace); error != 0) return error;
  named_->keep();
  return 0;
}

void DraftFile::remove_stale(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_of(path), failure)) {
    if (!is_temporary_name(entry.path().filename().string(), path)) continue;
    const Descriptor file(::open(entry.path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (file.get() >= 0 && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0) fs::remove(entry.path(), failure);
  }
}

}  // namespace postern::owner
