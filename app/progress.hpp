#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "postern/core/stop.hpp"

#include "session.hpp"
#include "time_left.hpp"

namespace postern::app {

/// How far long work came and how long it will still take, on stderr unless --quiet was given: a bar in a
/// terminal, erased when it goes out of scope; elsewhere one line for each phase that takes long.
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
  void draw(std::string_view phase, double done, std::optional<double> left);
  void tell(const std::string& phase, double left);
  std::stop_token stop_;
  bool quiet_ = false;
  bool terminal_ = false;
  TimeLeft left_;
  std::string told_;  ///< the phase that a line was written about
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace postern::app
