#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace postern::cgm17 {

/// What a run of an experiment is told.
struct Plan {
  bool quick = false;  ///< few trials of small models
  std::uint64_t seed = 1;
  int threads = 0;
  std::string only;   ///< fig2: chain, random or ten (levels); all of them if empty
  std::size_t n = 0;  ///< fig2: this many records alone; 0: as many as the figure has
};

}  // namespace postern::cgm17
