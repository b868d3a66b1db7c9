#pragma once

#include <functional>
#include <stop_token>
#include <string_view>

namespace postern {

/// How long work talks to the person who waits for it: progress out, interrupts in. The library never prints.
/// @pre on_progress is called from one thread at a time, with done in [0, 1], and must not throw.
struct Conversation {
  std::stop_token stop;
  std::function<void(std::string_view phase, double done)> on_progress;

  void report(std::string_view phase, double done) const {
    if (on_progress) on_progress(phase, done);
  }
  /// Throws Error{interrupted} once a stop was asked for.
  void check() const;
};

/// While it lives, every parallel_for begun on this thread, or inside one, ends with Error{interrupted} soon
/// after a stop is asked for: readers and engines need no argument for it.
class StopScope {
 public:
  explicit StopScope(std::stop_token stop);
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope();
  /// The token of the innermost scope of this thread; without one, a token that never stops.
  [[nodiscard]] static const std::stop_token& current();

 private:
  std::stop_token before_;
};

}  // namespace postern
