#include "durable_file.hpp"

#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include "postern/core/error.hpp"
#include "postern/core/sha256.hpp"

namespace postern::owner {
namespace {

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// For file systems that cannot rename without replacing: a hard link refuses an existing name just as
/// atomically.
int link_then_unlink(const std::string& from, const std::string& to) {
  if (::link(from.c_str(), to.c_str()) != 0) return errno;
  return ::unlink(from.c_str()) == 0 ? 0 : errno;
}

}  // namespace

Descriptor::Descriptor(Descriptor&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

RemoveUnlessKept::~RemoveUnlessKept() {
  if (!kept_) ::unlink(path_.c_str());
}

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string with_resolved_directory(const std::string& path) {
  std::array<char, PATH_MAX> resolved{};
  if (::realpath(directory_of(path).c_str(), resolved.data()) == nullptr) return {};
  const std::string directory(resolved.data());
  return (directory == "/" ? directory : directory + "/") + name_of(path);
}

std::string temporary_name(const std::string& path) {
  std::array<std::uint8_t, 8> tail{};
  if (::getrandom(tail.data(), tail.size(), 0) != static_cast<ssize_t>(tail.size())) {
    throw Error(ErrorCode::entropy_failed, {"the kernel gave no random bytes"});
  }
  const std::string directory = directory_of(path);
  return (directory == "/" ? directory : directory + "/") + "." + name_of(path) + "." +
         to_hex(tail.data(), tail.size()) + ".tmp";
}

bool is_temporary_name(std::string_view file_name, const std::string& path) {
  constexpr std::size_t kDigits = 16;
  constexpr std::string_view kJournal = "-journal";
  const std::string head = "." + name_of(path) + ".";
  if (file_name.ends_with(kJournal)) file_name.remove_suffix(kJournal.size());
  return file_name.size() == head.size() + kDigits + 4 && file_name.starts_with(head) &&
         file_name.ends_with(".tmp") &&
         file_name.substr(head.size(), kDigits).find_first_not_of("0123456789abcdef") ==
             std::string_view::npos;
}

int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

int write_new_file(const std::string& path, std::string_view bytes) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (file.get() < 0) return errno;
  RemoveUnlessKept whole(path);
  if (const int error = write_all(file.get(), bytes); error != 0) return error;
  if (::fsync(file.get()) != 0) return errno;
  whole.keep();
  return 0;
}

int rename_file(const std::string& from, const std::string& to, bool replace) {
  if (replace) return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno == EINVAL || errno == ENOSYS) return link_then_unlink(from, to);
  return errno;
}

int sync_directory_of(const std::string& path) {
  const Descriptor directory(::open(directory_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() < 0) return errno;
  return ::fsync(directory.get()) == 0 ? 0 : errno;
}

bool is_out_of_space(int error) { return error == ENOSPC || error == EDQUOT || error == EFBIG; }

}  // namespace postern::owner
