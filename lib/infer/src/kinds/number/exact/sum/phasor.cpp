#include "phasor.hpp"

#include "phasor_kernel.hpp"

namespace postern::infer {

PhasorStep plain_phasor_step() { return step_phasors; }

PhasorStep phasor_step() {
#ifdef __x86_64__
  static const PhasorStep wide = __builtin_cpu_supports("avx2") != 0 ? avx2_phasor_step() : nullptr;
  if (wide != nullptr) return wide;
#endif
  return plain_phasor_step();
}

}  // namespace postern::infer
