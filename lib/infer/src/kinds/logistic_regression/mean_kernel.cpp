#include "mean_kernel.hpp"

#include "mean_kernel_any.hpp"

namespace postern::infer {

LogisticSums plain_logistic_sums() { return &logistic_sums_any; }

LogisticSums logistic_sums() {
#ifdef __x86_64__
  static const LogisticSums wide = __builtin_cpu_supports("avx2") != 0 ? avx2_logistic_sums() : nullptr;
  if (wide != nullptr) return wide;
#endif
  return plain_logistic_sums();
}

}  // namespace postern::infer
