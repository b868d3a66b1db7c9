#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace postern::owner {

/// An open input. A regular file can be read anywhere by several threads; anything else (standard input, a
/// pipe) only once, front to back.
class CsvInput {
 public:
  /// `path` may be "-". Throws input_missing, input_unreadable.
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
  template <class Read>
  [[nodiscard]] std::size_t read_fully(char* into, std::size_t bytes, Read read) const;
  [[noreturn]] void fail() const;

  std::string path_;
  int descriptor_ = -1;
  bool owned_ = false;
  bool seekable_ = false;
};

}  // namespace postern::owner
