#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "records/unpack.hpp"

namespace postern::owner {

/// An open input, unpacked if it is packed by gzip or zstd, whatever its name is. A regular file that is not
/// can be read anywhere by several threads; anything else (standard input, a pipe) only once, front to back.
class CsvInput {
 public:
  /// `path` may be "-". Throws input_missing, and input_unreadable also for what is known to be no CSV.
  explicit CsvInput(const std::string& path);
  CsvInput(const CsvInput&) = delete;
  CsvInput& operator=(const CsvInput&) = delete;
  ~CsvInput();
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool seekable() const { return seekable_; }
  [[nodiscard]] std::uint64_t size() const;  ///< @pre seekable
  /// Fills as much of `into` as there is; less only at the end. Throws input_unreadable.
  [[nodiscard]] std::size_t read_at(std::uint64_t offset, char* into, std::size_t bytes) const;
  [[nodiscard]] std::size_t read_on(char* into, std::size_t bytes) const;

 private:
  [[nodiscard]] std::size_t read_raw(char* into, std::size_t bytes) const;
  void look_at_first_bytes();
  template <class Read>
  [[nodiscard]] std::size_t read_fully(char* into, std::size_t bytes, Read read) const;
  [[noreturn]] void fail() const;

  std::string path_;
  int descriptor_ = -1;
  bool owned_ = false;
  bool seekable_ = false;
  mutable std::string head_;  // bytes of a stream that were looked at and are still to be read
  std::unique_ptr<Unpacker> unpacker_;
};

}  // namespace postern::owner
