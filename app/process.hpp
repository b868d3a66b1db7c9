#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace postern::app {

/// No core dumps, no debugger, new files readable by their owner only. For commands that see records or a
/// ledger's key.
void harden_process();
/// The mode of a public file: what the umask allows that the user set, whether or not the process was
/// hardened since.
[[nodiscard]] unsigned public_file_mode();

/// Writing to a closed pipe, or past the limit on the size of files, fails like any other write instead of
/// killing the process between two steps of a release.
void let_writes_fail();

/// Whether something printed did not reach standard output. A reader who has gone, as `head` does, lost
/// nothing that it wanted.
[[nodiscard]] bool output_was_lost();

/// Turns the first Ctrl-C (or SIGTERM) into a request to stop. Work that has not stopped two seconds later,
/// or a second signal, ends the process at once. Made before any other thread, so that all inherit the
/// blocked signals. Throws std::system_error if no thread can start.
class InterruptWatch {
 public:
  /// `may_charge`: whether the last words of an end at once tell about charges.
  explicit InterruptWatch(bool may_charge);
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  ~InterruptWatch();
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  void wait();
  bool may_charge_;
  sigset_t signals_{};
  std::stop_source source_;
  std::thread watcher_;
};

}  // namespace postern::app
