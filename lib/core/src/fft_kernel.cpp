#include "fft_kernel.hpp"

#include "fft_kernel_set.hpp"

namespace postern::fft {

const Kernels& kernels() {
#ifdef __x86_64__
  static const Kernels* const wide = __builtin_cpu_supports("avx2") != 0 ? avx2_kernels() : nullptr;
  if (wide != nullptr) return *wide;
#endif
  return kKernels;
}

}  // namespace postern::fft
