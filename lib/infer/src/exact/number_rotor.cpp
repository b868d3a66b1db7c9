#include "number_rotor.hpp"

#include "number_rotor_kernel.hpp"

namespace postern::infer {

RotorStep plain_rotor_step() { return step_rotor; }

RotorStep rotor_step() {
#ifdef __x86_64__
  static const RotorStep wide = __builtin_cpu_supports("avx2") != 0 ? avx2_rotor_step() : nullptr;
  if (wide != nullptr) return wide;
#endif
  return plain_rotor_step();
}

}  // namespace postern::infer
