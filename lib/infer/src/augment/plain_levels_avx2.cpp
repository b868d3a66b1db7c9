// Compiled with -mavx2 where the compiler has it (see CMakeLists.txt). Includes no header with inline
// functions that another file might share.
#include "plain_levels_kernel.hpp"

namespace postern::infer {

FindLevels avx2_find_levels() {
#ifdef __AVX2__
  return find_four_levels;
#else
  return nullptr;
#endif
}

}  // namespace postern::infer
