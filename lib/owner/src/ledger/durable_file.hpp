#pragma once

#include <string>
#include <string_view>

namespace postern::owner {

/// An open file that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&&) = delete;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

/// Removes a file at the end of the scope unless it was kept: nothing half-written stays behind.
class RemoveUnlessKept {
 public:
  explicit RemoveUnlessKept(std::string path) : path_(std::move(path)) {}
  RemoveUnlessKept(const RemoveUnlessKept&) = delete;
  RemoveUnlessKept& operator=(const RemoveUnlessKept&) = delete;
  ~RemoveUnlessKept();
  void keep() { kept_ = true; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool kept_ = false;
};

/// "dir/name" -> "dir"; "name" -> ".".
[[nodiscard]] std::string directory_of(const std::string& path);
/// The path with its directory's symbolic links resolved; the last component is left alone.
/// Fails (errno) with an empty text when the directory does not exist.
[[nodiscard]] std::string with_resolved_directory(const std::string& path);

/// A name beside `path` that nobody uses: ".<name>.<16 random hex digits>.tmp".
[[nodiscard]] std::string temporary_name(const std::string& path);
/// Whether a file name is one that temporary_name gave for `path`, or SQLite's journal of it.
[[nodiscard]] bool is_temporary_name(std::string_view file_name, const std::string& path);

// The calls below return 0 or errno; the caller knows what the file is for, and so what to say.

/// Writes all the bytes, whatever interrupts.
[[nodiscard]] int write_all(int fd, std::string_view bytes);
/// Creates a private (0600) file that did not exist, writes the bytes and syncs them to disk; or leaves none.
[[nodiscard]] int write_new_file(const std::string& path, std::string_view bytes);
/// Renames atomically; without `replace` it refuses (EEXIST) to overwrite.
[[nodiscard]] int rename_file(const std::string& from, const std::string& to, bool replace);
/// Makes renames and creations in the directory of `path` durable.
[[nodiscard]] int sync_directory_of(const std::string& path);

/// No room: ENOSPC, EDQUOT, or the process's own file size limit (EFBIG).
[[nodiscard]] bool is_out_of_space(int error);

}  // namespace postern::owner
