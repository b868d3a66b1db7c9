#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "postern/core/stop.hpp"

#include "session.hpp"

namespace postern::app {

/// A bar on stderr, drawn only when stderr is a terminal and --quiet was not given. Erased when it goes out
/// of scope.
class Progress {
 public:
  explicit Progress(const Session& session);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();
  /// What long work talks to: this bar, and Ctrl-C. Must not outlive the bar.
  [[nodiscard]] Conversation conversation();

 private:
  void show(std::string_view phase, double done);
  std::stop_token stop_;
  bool enabled_ = false;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace postern::app
