#include "time_left.hpp"

#include <algorithm>
#include <cmath>

#include "text.hpp"

namespace postern::app {

std::optional<double> TimeLeft::seconds(const std::string& phase, double done, Clock::time_point now) {
  constexpr double kEarly = 2;
  constexpr double kLittle = 0.01;
  if (phase != phase_ || done < first_done_) {  // a phase that begins anew takes its own time
    phase_ = phase;
    first_done_ = done;
    begun_ = now;
    return std::nullopt;
  }
  const double elapsed = std::chrono::duration<double>(now - begun_).count();
  const double passed = done - first_done_;
  if (elapsed < kEarly || passed < kLittle) return std::nullopt;
  return elapsed * (1 - std::min(done, 1.0)) / passed;
}

std::string duration_text(double seconds) {
  const auto rounded = [](double value) { return grouped(std::llround(std::max(1.0, value))); };
  if (seconds < 90) return "about " + rounded(seconds) + " s";
  if (seconds < 90 * 60) return "about " + rounded(seconds / 60) + " min";
  return "about " + rounded(seconds / 3600) + " h";
}

}  // namespace postern::app
