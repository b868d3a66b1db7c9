// Compiled with -mavx2 where the compiler has it (see CMakeLists.txt). Includes no header with inline
// functions that another file might share.
#include "record_kernels_any.hpp"

namespace postern::infer {

const RecordKernels* avx2_record_kernels() {
#ifdef __AVX2__
  return &kRecordKernels;
#else
  return nullptr;
#endif
}

}  // namespace postern::infer
