#include "input.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "postern/core/error.hpp"

namespace postern::owner {
namespace {

[[noreturn]] void refuse_open(const std::string& path, int reason) {
  if (reason == ENOENT || reason == ENOTDIR) {
    throw Error(ErrorCode::input_missing,
                {"there is no file '", from_option(path), "'; check the path of the records"});
  }
  throw Error(ErrorCode::input_unreadable,
              {"the file '", from_option(path), "' cannot be opened; check its permissions"});
}

}  // namespace

CsvInput::CsvInput(const std::string& path) : path_(path) {
  if (path == "-") {
    descriptor_ = STDIN_FILENO;
  } else {
    descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor_ < 0) refuse_open(path, errno);
    owned_ = true;
  }
  struct stat facts {};
  const bool known = fstat(descriptor_, &facts) == 0;
  if (!known || S_ISDIR(facts.st_mode)) {
    if (owned_) close(descriptor_);
    throw Error(ErrorCode::input_unreadable,
                {"'", from_option(path),
                 "' is not a file that can be read; give one CSV file, or - for standard input"});
  }
  // Standard input may be a file that was partly read by someone else: take it as a stream.
  seekable_ = owned_ && S_ISREG(facts.st_mode);
  try {
    look_at_first_bytes();
  } catch (...) {
    if (owned_) close(descriptor_);
    throw;
  }
}

void CsvInput::look_at_first_bytes() {
  std::string first(kFirstBytes, '\0');
  first.resize(seekable_ ? read_at(0, first.data(), first.size()) : read_raw(first.data(), first.size()));
  const Packing packing = recognise(first, path_);
  if (!seekable_) head_ = std::move(first);
  if (packing == Packing::none) return;
  unpacker_ = make_unpacker(
      packing, [this](char* into, std::size_t bytes) { return read_raw(into, bytes); }, path_);
  seekable_ = false;
}

CsvInput::~CsvInput() {
  if (owned_) close(descriptor_);
}

std::uint64_t CsvInput::size() const {
  struct stat facts {};
  if (fstat(descriptor_, &facts) != 0) fail();
  return static_cast<std::uint64_t>(facts.st_size);
}

template <class Read>
std::size_t CsvInput::read_fully(char* into, std::size_t bytes, Read read) const {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got = read(into + done, bytes - done, done);
    if (got == 0) break;
    if (got < 0 && errno != EINTR) fail();
    if (got > 0) done += static_cast<std::size_t>(got);
  }
  return done;
}

std::size_t CsvInput::read_at(std::uint64_t offset, char* into, std::size_t bytes) const {
  return read_fully(into, bytes, [&](char* place, std::size_t count, std::size_t done) {
    return pread(descriptor_, place, count, static_cast<off_t>(offset + done));
  });
}

std::size_t CsvInput::read_raw(char* into, std::size_t bytes) const {
  const std::size_t looked_at = head_.copy(into, bytes);
  head_.erase(0, looked_at);
  return looked_at + read_fully(into + looked_at, bytes - looked_at,
                                [&](char* place, std::size_t count, std::size_t /*done*/) {
                                  return ::read(descriptor_, place, count);
                                });
}

std::size_t CsvInput::read_on(char* into, std::size_t bytes) const {
  return unpacker_ ? unpacker_->read(into, bytes) : read_raw(into, bytes);
}

void CsvInput::fail() const {
  throw Error(ErrorCode::input_unreadable, {"the file '", from_option(path_),
                                            "' cannot be read to its end; check the disk or the connection"});
}

}  // namespace postern::owner
