#include "postern/core/stop.hpp"

#include "postern/core/error.hpp"

namespace postern {

void Conversation::check() const {
  if (stop.stop_requested()) throw Error(ErrorCode::interrupted, {"stopped before it was done"});
}

}  // namespace postern
