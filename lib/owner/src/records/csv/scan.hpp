#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace postern::owner {

/// Where the bytes that matter are in a block of whole lines. Positions count from the start of the memory.
struct Marks {
  std::vector<std::uint32_t> ends;      ///< delimiters and newlines
  std::vector<std::uint32_t> newlines;  ///< newlines again
  std::vector<std::uint32_t> odd;       ///< quotes, NULs and bytes that are not ASCII
  std::size_t end_count = 0;            ///< how much of each vector is filled
  std::size_t newline_count = 0;
  std::size_t odd_count = 0;
};

/// Finds the marks of memory[begin, end). @pre 64 bytes behind the end can be read; positions fit in 32 bits.
void scan(const char* memory, std::size_t begin, std::size_t end, char delimiter, Marks& marks);

}  // namespace postern::owner
