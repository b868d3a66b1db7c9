#include "process.hpp"

#include <ctime>
#include <iostream>
#include <string_view>

#include <poll.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#include "postern/core/error.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define POSTERN_UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POSTERN_UNDER_ASAN 1
#endif
#endif

namespace postern::app {
namespace {

/// Ends the process by the signal itself, as its sender expects.
[[noreturn]] void die_of(int received) {
  struct sigaction deadly {};
  deadly.sa_handler = SIG_DFL;
  sigaction(received, &deadly, nullptr);
  sigset_t open{};
  sigemptyset(&open);
  sigaddset(&open, received);
  pthread_sigmask(SIG_UNBLOCK, &open, nullptr);
  (void)raise(received);
  _exit(EX_TEMPFAIL);
}

mode_t users_mask = 0;  // what the umask was before hardening
bool hardened = false;

/// Whether whoever read our standard output has gone.
bool reader_has_left() {
  pollfd out{STDOUT_FILENO, POLLOUT, 0};
  return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

constexpr int kFarewell = SIGUSR1;  // the destructor's word to the watcher

}  // namespace

void harden_process() {
#ifndef POSTERN_UNDER_ASAN  // its leak checker attaches to the process
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  const mode_t mask = umask(077);
  if (!hardened) users_mask = mask;
  hardened = true;
}

unsigned public_file_mode() {
  if (hardened) return 0666U & ~users_mask;
  const mode_t mask = umask(0);
  umask(mask);
  return 0666U & ~mask;
}

void let_writes_fail() {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, nullptr);
  sigaction(SIGXFSZ, &ignore, nullptr);
}

bool output_was_lost() { return !std::cout.flush() && !reader_has_left(); }

InterruptWatch::InterruptWatch(bool may_charge) : may_charge_(may_charge) {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  sigaddset(&signals_, kFarewell);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  watcher_ = std::thread([this] { wait(); });
}

InterruptWatch::~InterruptWatch() {
  pthread_kill(watcher_.native_handle(), kFarewell);
  watcher_.join();
}

void InterruptWatch::wait() {
  int received = 0;
  if (sigwait(&signals_, &received) != 0 || received == kFarewell) return;
  source_.request_stop();
  const timespec grace{2, 0};
  const int again = sigtimedwait(&signals_, nullptr, &grace);
  if (again == kFarewell) return;
  if (again > 0) die_of(again);
  // Work that does not listen. Files appear whole or not at all, so it may end anywhere.
  const std::string_view words = may_charge_ ? "postern: error [interrupted]: stopped before it was done; a "
                                               "charge that was already made stands\n"
                                             : "postern: error [interrupted]: stopped before it was done\n";
  if (write(STDERR_FILENO, words.data(), words.size()) < 0) _exit(EX_IOERR);
  _exit(exit_status(ErrorCode::interrupted));
}

}  // namespace postern::app
