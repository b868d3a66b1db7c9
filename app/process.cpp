#include "process.hpp"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define POSTERN_UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POSTERN_UNDER_ASAN 1
#endif
#endif

namespace postern::app {
namespace {

constexpr int kFarewell = SIGUSR1;  // the destructor's word to the watcher

}  // namespace

void harden_process() {
#ifndef POSTERN_UNDER_ASAN  // its leak checker attaches to the process
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  umask(077);
}

void ignore_broken_pipes() {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, nullptr);
}

InterruptWatch::InterruptWatch() {
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
  while (sigwait(&signals_, &received) == 0 && received != kFarewell) {
    if (source_.request_stop()) continue;
    sigset_t again{};  // asked twice: die of it, as the sender expects
    sigemptyset(&again);
    sigaddset(&again, received);
    struct sigaction deadly {};
    deadly.sa_handler = SIG_DFL;
    sigaction(received, &deadly, nullptr);
    pthread_sigmask(SIG_UNBLOCK, &again, nullptr);
    (void)raise(received);
  }
}

}  // namespace postern::app
