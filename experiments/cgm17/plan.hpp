#pragma once

#include <cstdint>

namespace postern::cgm17 {

/// What a run of an experiment is told.
struct Plan {
  bool quick = false;  ///< few trials of small models
  std::uint64_t seed = 1;
  int threads = 0;
};

}  // namespace postern::cgm17
