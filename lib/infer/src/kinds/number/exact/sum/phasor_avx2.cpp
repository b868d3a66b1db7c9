// Compiled with -mavx2 where the compiler has it (see CMakeLists.txt). Includes no header with inline
// functions that another file might share.
#include "phasor_kernel.hpp"

namespace postern::infer {

PhasorStep avx2_phasor_step() {
#ifdef __AVX2__
  return step_phasors;
#else
  return nullptr;
#endif
}

}  // namespace postern::infer
