#include "postern/core/stop.hpp"

#include <utility>

#include "postern/core/error.hpp"

namespace postern {
namespace {

thread_local std::stop_token current_stop;

}  // namespace

void Conversation::check() const {
  if (stop.stop_requested()) throw Error(ErrorCode::interrupted, {"stopped before it was done"});
}

StopScope::StopScope(std::stop_token stop) : before_(std::exchange(current_stop, std::move(stop))) {}
StopScope::~StopScope() { current_stop = std::move(before_); }
const std::stop_token& StopScope::current() { return current_stop; }

}  // namespace postern
