#include "plain_levels.hpp"

#include "plain_levels_kernel.hpp"

namespace postern::infer {

FindLevels plain_find_levels() { return find_four_levels; }

FindLevels find_levels() {
#ifdef __x86_64__
  static const FindLevels wide = __builtin_cpu_supports("avx2") != 0 ? avx2_find_levels() : nullptr;
  if (wide != nullptr) return wide;
#endif
  return plain_find_levels();
}

}  // namespace postern::infer
