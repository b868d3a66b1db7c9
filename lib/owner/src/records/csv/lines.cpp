#include "lines.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace postern::owner {
namespace {

// "\r\n" may follow the longest good line.
constexpr std::size_t kLineEnd = 2;

}  // namespace

LineFeed::LineFeed(Fetch fetch, std::size_t at_a_time)
    : fetch_(std::move(fetch)), at_a_time_(at_a_time), memory_(2 * at_a_time + 2 * kPadding) {
  std::fill(memory_.begin(), memory_.end(), ' ');
}

void LineFeed::fill() {
  const std::size_t unread = end_ - begin_;
  std::memmove(memory_.data() + kPadding, memory_.data() + begin_, unread);
  begin_ = kPadding;
  end_ = kPadding + unread;
  const std::size_t room = end_ + at_a_time_ + kPadding;
  if (room > memory_.size()) memory_.resize(std::max(room, 2 * memory_.size()), ' ');
  const std::size_t got = fetch_(memory_.data() + end_, at_a_time_);
  ended_ = got < at_a_time_;
  end_ += got;
}

std::optional<std::size_t> LineFeed::find_newline(std::size_t from) const {
  const void* found = std::memchr(memory_.data() + from, '\n', end_ - from);
  if (found == nullptr) return std::nullopt;
  return static_cast<std::size_t>(static_cast<const char*>(found) - memory_.data());
}

void LineFeed::pass(std::size_t end) {
  position_ += end - begin_;
  begin_ = end;
}

std::optional<std::string> LineFeed::take_line() {
  auto newline = find_newline(begin_);
  while (!newline && !ended_ && end_ - begin_ <= kLongestLine + kLineEnd) {
    fill();
    newline = find_newline(begin_);
  }
  if ((!newline && !ended_) || begin_ == end_) return std::nullopt;
  std::string line(memory_.data() + begin_, memory_.data() + newline.value_or(end_));
  pass(newline ? *newline + 1 : end_);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (line.size() > kLongestLine) return std::nullopt;
  return line;
}

void LineFeed::skip_line() {
  auto newline = find_newline(begin_);
  while (!newline && !ended_) {
    pass(end_);
    fill();
    newline = find_newline(begin_);
  }
  pass(newline ? *newline + 1 : end_);
}

std::span<char> LineFeed::replace_long_line() {
  skip_line();
  char* const place = memory_.data() + begin_ - 2;
  place[0] = '\0';
  place[1] = '\n';
  return {place, 2};
}

std::span<char> LineFeed::hand_out(std::size_t end) {
  if (position_ + (end - begin_) > limit_) {
    // The last line that begins before the limit holds the byte before it; the block has a newline behind
    // that.
    const auto newline = find_newline(begin_ + static_cast<std::size_t>(limit_ - position_) - 1);
    end = newline ? *newline + 1 : end;
  }
  const std::span<char> block(memory_.data() + begin_, end - begin_);
  pass(end);
  return block;
}

std::span<char> LineFeed::next() {
  while (position_ < limit_) {
    const void* last = memrchr(memory_.data() + begin_, '\n', end_ - begin_);
    if (last != nullptr) {
      return hand_out(static_cast<std::size_t>(static_cast<const char*>(last) - memory_.data()) + 1);
    }
    if (end_ - begin_ > kLongestLine + kLineEnd) return replace_long_line();
    if (ended_) {
      if (begin_ == end_) return {};
      memory_[end_++] = '\n';
      return hand_out(end_);
    }
    fill();
  }
  return {};
}

}  // namespace postern::owner
