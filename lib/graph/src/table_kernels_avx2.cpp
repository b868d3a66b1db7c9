// Compiled with -mavx2 where the compiler has it (see CMakeLists.txt). What it includes instantiates no
// function that another file might share.
#include "table_kernels_any.hpp"

namespace postern::graph {

const TableKernels* avx2_table_kernels() {
#ifdef __AVX2__
  return &kTableKernels;
#else
  return nullptr;
#endif
}

}  // namespace postern::graph
