#include "postern/core/parallel.hpp"

#include <algorithm>
#include <latch>
#include <system_error>
#include <thread>
#include <vector>

#include "postern/core/stop.hpp"

#ifdef POSTERN_PLAIN_THREADS
#include <atomic>
#include <exception>
#include <mutex>
#else
#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace postern {
namespace {

/// The body, ending the loop once a stop was asked for; loops inside it, on whatever thread, hear it too.
std::function<void(std::size_t)> stoppable(const std::function<void(std::size_t)>& body) {
  if (!StopScope::current().stop_possible()) return body;
  return [&body, stop = StopScope::current()](std::size_t i) {
    Conversation{stop, {}}.check();
    const StopScope scope(stop);
    body(i);
  };
}

#ifdef POSTERN_PLAIN_THREADS

// ThreadSanitizer cannot see how TBB orders its tasks, and would call every result a race. Always several
// threads, also on one core.
int cores() { return 4; }

void share(std::size_t count, int threads, const std::function<void(std::size_t)>& body) {
  std::atomic<std::size_t> next{0};
  std::mutex guard;
  std::exception_ptr failure;
  // Relaxed: a counter that put the bodies in order would hide the races between them.
  const auto take = [&] { return next.fetch_add(1, std::memory_order_relaxed); };
  const auto work = [&] {
    try {
      for (std::size_t i = take(); i < count; i = take()) body(i);
    } catch (...) {
      next.store(count, std::memory_order_relaxed);
      const std::lock_guard lock(guard);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> pool;
  for (int i = 0; i < threads; ++i) pool.emplace_back(work);
  for (std::thread& thread : pool) thread.join();
  if (failure) std::rethrow_exception(failure);
}

#else

int cores() { return tbb::info::default_concurrency(); }

void share(std::size_t count, int threads, const std::function<void(std::size_t)>& body) {
  // An arena of its own, so that the bound holds also inside a caller's parallel work.
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        for (std::size_t i = range.begin(); i != range.end(); ++i) body(i);
                      });
  });
}

#endif

/// How many threads the system lets run beside this one, at most `wanted`. A limit on processes, or on
/// memory, may allow fewer than there are cores; TBB throws in the middle of the work when it meets it.
int count_startable(int wanted) {
  std::latch enough(1);
  std::vector<std::jthread> started;
  try {
    while (static_cast<int>(started.size()) < wanted) started.emplace_back([&] { enough.wait(); });
  } catch (const std::system_error&) {  // that many, then
  }
  enough.count_down();
  return static_cast<int>(started.size());
}

int startable_threads() {
  static const int most = 1 + count_startable(cores() - 1);
  return most;
}

}  // namespace

int default_threads() { return cores(); }

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& work) {
  const std::function<void(std::size_t)> body = stoppable(work);
  // TBB warns on stderr when asked for more threads than cores, and gives no more.
  if (threads <= 0 || threads > default_threads()) threads = default_threads();
  if (threads > 1 && count > 1) threads = std::min(threads, startable_threads());
  if (threads == 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  share(count, threads, body);
}

}  // namespace postern
