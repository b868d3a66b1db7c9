#include "table_kernels.hpp"

#include "table_kernels_any.hpp"

namespace postern::graph {

const TableKernels& plain_table_kernels() { return kTableKernels; }

const TableKernels& table_kernels() {
  static const TableKernels& best = [&]() -> const TableKernels& {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") != 0 && avx2_table_kernels() != nullptr) return *avx2_table_kernels();
#endif
    return plain_table_kernels();
  }();
  return best;
}

}  // namespace postern::graph
