// Arithmetic on runs of doubles, for whatever processor the including file is compiled for. Everything has
// internal linkage. Sums are taken in the same four lanes everywhere and nothing is contracted, so that all
// builds agree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace postern::graph {

static constexpr std::size_t kLanes = 4;

struct Lanes {
  double at[kLanes] = {};  // NOLINT(*-avoid-c-arrays): no function of another header
};

static double sum_of(const double* x, std::size_t size) {
  if (size < 2 * kLanes) {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += x[i];
    return sum;
  }
  Lanes sums;
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) sums.at[k] += x[i + k];
  }
  double sum = (sums.at[0] + sums.at[2]) + (sums.at[1] + sums.at[3]);
  for (; i < size; ++i) sum += x[i];
  return sum;
}

static double dot_of(const double* x, const double* y, std::size_t size) {
  if (size < 2 * kLanes) {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += x[i] * y[i];
    return sum;
  }
  Lanes sums;
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) sums.at[k] += x[i + k] * y[i + k];
  }
  double sum = (sums.at[0] + sums.at[2]) + (sums.at[1] + sums.at[3]);
  for (; i < size; ++i) sum += x[i] * y[i];
  return sum;
}

using Four = double __attribute__((vector_size(32)));
using FourBits = std::uint64_t __attribute__((vector_size(32)));

struct Range {
  double least = 0;
  double most = 0;
};

static Range range_of(const double* x, std::size_t size) {
  Range out{x[0], x[0]};
  std::size_t i = 1;
  if (size >= 2 * kLanes) {
    Four least;
    std::memcpy(&least, x, sizeof least);
    Four most = least;
    for (i = kLanes; i + kLanes <= size; i += kLanes) {
      Four here;
      std::memcpy(&here, x + i, sizeof here);
      least = here < least ? here : least;
      most = most < here ? here : most;
    }
    out = {least[0], most[0]};
    for (std::size_t k = 1; k < kLanes; ++k) {
      out.least = least[k] < out.least ? least[k] : out.least;
      out.most = out.most < most[k] ? most[k] : out.most;
    }
  }
  for (; i < size; ++i) {
    out.least = x[i] < out.least ? x[i] : out.least;
    out.most = out.most < x[i] ? x[i] : out.most;
  }
  return out;
}

/// x becomes e^(x - from), for four x <= from, to about 1 ulp; zero below -708. Powers of two times a
/// polynomial on
/// [-ln 2 / 2, ln 2 / 2].
static void exp_less(double* four, double from) {
  constexpr double shift = 0x1.8p52;  // adding it rounds to an integer, kept in the lowest bits
  constexpr double log2_e = 1.4426950408889634;
  constexpr double ln2_high = 0x1.62e42fefa0000p-1;
  constexpr double ln2_low = 0x1.cf79abc9e3b3ap-40;
  Four x;
  std::memcpy(&x, four, sizeof x);
  x -= from;
  const Four shifted = x * log2_e + shift;
  const Four k = shifted - shift;
  const Four r = (x - k * ln2_high) - k * ln2_low;
  Four p = r * (1.0 / 6227020800) + 1.0 / 479001600;
  p = p * r + 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = (p * r) * r + r;  // e^r - 1
  FourBits bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  bits = (bits + 1023) << 52;
  Four power;
  std::memcpy(&power, &bits, sizeof power);
  const Four value = x < -708.0 ? Four{} : power + power * p;
  std::memcpy(four, &value, sizeof value);
}

static void exp_less(double* x, std::size_t size, double from) {
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) exp_less(x + i, from);
  if (i == size) return;
  double rest[kLanes] = {};  // NOLINT(*-avoid-c-arrays)
  std::memcpy(rest, x + i, (size - i) * sizeof(double));
  exp_less(rest, from);
  std::memcpy(x + i, rest, (size - i) * sizeof(double));
}

}  // namespace postern::graph
