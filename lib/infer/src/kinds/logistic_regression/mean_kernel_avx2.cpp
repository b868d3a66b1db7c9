// Compiled with -mavx2 where the compiler has it (see CMakeLists.txt). Includes no header with inline
// functions that another file might share.
#include "mean_kernel_any.hpp"

namespace postern::infer {

LogisticSums avx2_logistic_sums() {
#ifdef __AVX2__
  return &logistic_sums_any;
#else
  return nullptr;
#endif
}

}  // namespace postern::infer
