#include "postern/core/parallel.hpp"

#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "postern/core/stop.hpp"

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

}  // namespace

int default_threads() { return tbb::info::default_concurrency(); }

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& work) {
  const std::function<void(std::size_t)> body = stoppable(work);
  // TBB warns on stderr when asked for more threads than cores, and gives no more.
  if (threads <= 0 || threads > default_threads()) threads = default_threads();
  if (threads == 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  // An arena of its own, so that the bound holds also inside a caller's parallel work.
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        for (std::size_t i = range.begin(); i != range.end(); ++i) body(i);
                      });
  });
}

}  // namespace postern
