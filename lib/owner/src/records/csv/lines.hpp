#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "postern/owner/coded_table.hpp"

namespace postern::owner {

/// A longer line is a bad record (its end-of-line bytes do not count).
inline constexpr std::size_t kLongestLine = std::size_t{1} << 20;

/// Cuts a stream of bytes into blocks of whole lines. A last line without a newline gets one. A line too long
/// to hold is handed out as one that is bad for another reason (a NUL), so that every line of the file is
/// exactly one line here.
class LineFeed {
 public:
  /// Fills the memory as far as it can; fewer bytes mean the end.
  using Fetch = std::function<std::size_t(char* into, std::size_t bytes)>;
  static constexpr std::size_t kPadding = 64;  ///< readable bytes before and behind a block
  /// Bytes fetched at a time: small enough that a block stays in the cache while it is worked on.
  static constexpr std::size_t kFetch = std::size_t{1} << 17;

  explicit LineFeed(Fetch fetch, std::size_t at_a_time = kFetch);
  /// The first line without its end of line, if there is one and it is not too long.
  [[nodiscard]] std::optional<std::string> take_line();
  /// Passes over what is left of the current line.
  void skip_line();
  /// Lines that begin at this position or behind it are not handed out.
  void stop_at(std::uint64_t position) { limit_ = position; }
  /// The next block, which the caller may write to; empty at the end. Each line ends in '\n'.
  [[nodiscard]] std::span<char> next();
  /// Bytes passed so far: where the next block begins.
  [[nodiscard]] std::uint64_t position() const { return position_; }
  /// Whether nothing is left, as far as was fetched already. @pre something was fetched
  [[nodiscard]] bool at_end() const { return ended_ && begin_ == end_; }
  /// Start of the memory that the last block lies in.
  [[nodiscard]] char* memory() { return memory_.data(); }

 private:
  void fill();
  [[nodiscard]] std::optional<std::size_t> find_newline(std::size_t from) const;
  [[nodiscard]] std::span<char> hand_out(std::size_t end);
  [[nodiscard]] std::span<char> replace_long_line();
  void pass(std::size_t end);

  Fetch fetch_;
  std::size_t at_a_time_;
  Wiped<char> memory_;
  std::size_t begin_ = kPadding;  // unread bytes are [begin_, end_)
  std::size_t end_ = kPadding;
  bool ended_ = false;  // fetch has nothing more
  std::uint64_t position_ = 0;
  std::uint64_t limit_ = ~std::uint64_t{0};
};

}  // namespace postern::owner
