#pragma once

#include <cstddef>
#include <functional>

namespace postern {

/// Runs body(i) for i in [0, count) on at most `threads` threads, never more than there are cores (0 = all).
/// Bodies must write to disjoint places; the result then does not depend on the number of threads. The first
/// exception is rethrown.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& body);
[[nodiscard]] int default_threads();

}  // namespace postern
