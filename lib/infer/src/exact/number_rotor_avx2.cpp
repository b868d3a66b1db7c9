// Compiled with -mavx2 where the compiler has it (see CMakeLists.txt). Includes no header with inline
// functions that another file might share.
#include "number_rotor_kernel.hpp"

namespace postern::infer {

RotorStep avx2_rotor_step() {
#ifdef __AVX2__
  return step_rotor;
#else
  return nullptr;
#endif
}

}  // namespace postern::infer
