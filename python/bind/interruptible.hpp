#pragma once

#include <chrono>
#include <future>
#include <optional>
#include <thread>
#include <utility>

#include <nanobind/nanobind.h>

#include "postern/core/stop.hpp"

namespace postern::bind {

/// Runs work(conversation) on a thread of its own, without the interpreter's lock, while this one listens for
/// signals: Ctrl-C asks the work to stop, waits for it, and becomes Python's KeyboardInterrupt.
/// @pre work touches no Python object without taking the lock, and all it refers to outlives the call.
template <class Work>
auto interruptible(const Work& work) {
  using Answer = decltype(work(Conversation{}));
  std::stop_source source;
  std::packaged_task<Answer()> task([&] {
    const StopScope scope(source.get_token());
    return work(Conversation{source.get_token(), {}});
  });
  std::future<Answer> answer = task.get_future();
  std::optional<nanobind::python_error> interrupt;
  {
    const nanobind::gil_scoped_release unlocked;
    const std::jthread worker(std::move(task));
    while (answer.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
      const nanobind::gil_scoped_acquire locked;
      if (interrupt || PyErr_CheckSignals() == 0) continue;
      interrupt.emplace();
      source.request_stop();
    }
  }
  if (interrupt) throw nanobind::python_error(std::move(*interrupt));
  return answer.get();
}

}  // namespace postern::bind
