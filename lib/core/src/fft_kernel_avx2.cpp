// Compiled with -mavx2 where the compiler has it (see CMakeLists.txt). Includes no header with inline
// functions that another file might share.
#include "fft_kernel_set.hpp"

namespace postern::fft {

const Kernels* avx2_kernels() {
#ifdef __AVX2__
  return &kKernels;
#else
  return nullptr;
#endif
}

}  // namespace postern::fft
