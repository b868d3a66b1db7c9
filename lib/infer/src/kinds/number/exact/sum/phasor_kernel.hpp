#pragma once

#include "phasor.hpp"

namespace postern::infer {

using FourPhases = double __attribute__((vector_size(32)));
static_assert(sizeof(FourPhases) == kPhasorLanes * sizeof(double));

/// Compiled for the instruction set of the source file that includes this.
[[maybe_unused]] static PhasorSum step_phasors(const PhasorColumns& columns) {
  FourPhases re{};
  FourPhases im{};
  for (std::size_t r = 0; r < columns.size; r += kPhasorLanes) {
    FourPhases w, c1, s1, c, s;
    __builtin_memcpy(&w, columns.weight + r, sizeof w);
    __builtin_memcpy(&c1, columns.cos1 + r, sizeof c1);
    __builtin_memcpy(&s1, columns.sin1 + r, sizeof s1);
    __builtin_memcpy(&c, columns.cos + r, sizeof c);
    __builtin_memcpy(&s, columns.sin + r, sizeof s);
    const FourPhases cos = c + c1 + (c * c1 - s * s1);
    const FourPhases sin = s + s1 + (c * s1 + s * c1);
    __builtin_memcpy(columns.cos + r, &cos, sizeof cos);
    __builtin_memcpy(columns.sin + r, &sin, sizeof sin);
    re += w * cos;
    im += w * sin;
  }
  return {(re[0] + re[1]) + (re[2] + re[3]), (im[0] + im[1]) + (im[2] + im[3])};
}

}  // namespace postern::infer
