#pragma once

#include <cstddef>

namespace postern::infer {

/// Phases e^{i j x_r} - 1 of many places x_r, stepped from one j to the next: cos - 1 and sin keep their
/// digits where the angle is small. Columns of `size` numbers, a multiple of kPhasorLanes.
struct PhasorColumns {
  const double* weight;
  const double* cos1;  ///< of the step, less 1
  const double* sin1;
  double* cos;  ///< of where it is, less 1
  double* sin;
  std::size_t size;
};
inline constexpr std::size_t kPhasorLanes = 4;

struct PhasorSum {
  double re;
  double im;
};
/// Steps every phase once and adds up weight times phase.
using PhasorStep = PhasorSum (*)(const PhasorColumns& columns);

/// The fastest one that this processor can run. All give the same bits: wider vectors, but no fused
/// multiply-add.
[[nodiscard]] PhasorStep phasor_step();
/// For any processor.
[[nodiscard]] PhasorStep plain_phasor_step();
/// For AVX2, or null in a build without it.
[[nodiscard]] PhasorStep avx2_phasor_step();

}  // namespace postern::infer
