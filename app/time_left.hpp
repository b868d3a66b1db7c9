#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace postern::app {

/// How long the phase that work is in will still take, judged by how far it came until now.
class TimeLeft {
 public:
  using Clock = std::chrono::steady_clock;
  /// Takes a report of progress. Nothing while it is too early to tell: in the first two seconds, and in the
  /// first hundredth of the phase.
  [[nodiscard]] std::optional<double> seconds(const std::string& phase, double done, Clock::time_point now);

 private:
  std::string phase_;
  double first_done_ = 0;
  Clock::time_point begun_;
};

/// "about 40 s", "about 5 min", "about 2 h"
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace postern::app
