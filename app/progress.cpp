#include "progress.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include <unistd.h>

#include "text.hpp"

namespace postern::app {
namespace {

constexpr std::size_t kBar = 32;

bool terminal_wants_a_bar() {
  const char* term = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

}  // namespace

Progress::Progress(const Session& session)
    : stop_(session.stop),
      quiet_(session.quiet),
      terminal_(terminal_wants_a_bar()),
      next_(std::chrono::steady_clock::now() + std::chrono::milliseconds(300)) {}

Progress::~Progress() {
  if (drawn_) std::cerr << "\r\033[K" << std::flush;
}

Conversation Progress::conversation() {
  Conversation out;
  out.stop = stop_;
  if (!quiet_) out.on_progress = [this](std::string_view phase, double done) { show(phase, done); };
  return out;
}

void Progress::show(std::string_view phase, double done) {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;  // quick work needs no bar, and ten pictures a second are enough
  next_ = now + std::chrono::milliseconds(100);
  const std::string name(phase);
  const std::optional<double> left = left_.seconds(name, done, now);
  if (terminal_) {
    draw(phase, done, left);
  } else if (left) {
    tell(name, *left);
  }
}

void Progress::draw(std::string_view phase, double done, std::optional<double> left) {
  const double share = std::clamp(done, 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(share * kBar);
  std::cerr << "\r\033[K" << printable(cut_to_width(phase, 32)) << " [" << std::string(filled, '#')
            << std::string(kBar - filled, '-') << "] " << static_cast<int>(100 * share) << " %";
  if (left) std::cerr << ", " << duration_text(*left) << " left";
  std::cerr << std::flush;
  drawn_ = true;
}

void Progress::tell(const std::string& phase, double left) {
  constexpr double kLong = 15;
  if (left < kLong || phase == told_) return;
  told_ = phase;
  std::cerr << printable(phase) << ": " << duration_text(left) << " left" << std::endl;
}

}  // namespace postern::app
