#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace postern::app {

/// No core dumps, no debugger, new files readable by their owner only. For commands that see records or a
/// ledger's key.
void harden_process();

/// Writing to a closed pipe fails like any other write instead of killing the process between two steps of a
/// release.
void ignore_broken_pipes();

/// Turns the first Ctrl-C (or SIGTERM) into a request to stop. Work that has not stopped two seconds later,
/// or a second signal, ends the process at once. Made before any other thread, so that all inherit the
/// blocked signals.
class InterruptWatch {
 public:
  InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  ~InterruptWatch();
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  void wait();
  sigset_t signals_{};
  std::stop_source source_;
  std::thread watcher_;
};

}  // namespace postern::app
