#include "record_kernels.hpp"

#include "record_kernels_any.hpp"

namespace postern::infer {

const RecordKernels& plain_record_kernels() { return kRecordKernels; }

const RecordKernels& record_kernels() {
#ifdef __x86_64__
  static const RecordKernels* const wide =
      __builtin_cpu_supports("avx2") != 0 ? avx2_record_kernels() : nullptr;
  if (wide != nullptr) return *wide;
#endif
  return plain_record_kernels();
}

}  // namespace postern::infer
