// Sums over points, for whatever processor the including file is compiled for. Everything has internal
// linkage. Sums are taken in the same four lanes everywhere and nothing is contracted, so that all builds
// agree.
#pragma once

#include <cstdint>
#include <cstring>

#include "mean_kernel.hpp"

namespace postern::infer {

using FourPoints = double __attribute__((vector_size(32)));
using FourPointBits = std::uint64_t __attribute__((vector_size(32)));

// Vectors pass by reference: by value they would need the wide registers in every build.
static inline void add_times(FourPoints& sum, double by, const double* x) {
  FourPoints here;
  std::memcpy(&here, x, sizeof here);
  sum += by * here;
}
static inline void add_products(FourPoints& sum, const double* x, const double* y) {
  FourPoints left;
  FourPoints right;
  std::memcpy(&left, x, sizeof left);
  std::memcpy(&right, y, sizeof right);
  sum += left * right;
}

/// t within kFarthest either way.
static constexpr double kFarthest = 700;
static inline void cut_off(FourPoints& t) {
  constexpr FourPoints most{kFarthest, kFarthest, kFarthest, kFarthest};
  t = t < most ? t : most;
  t = t > -most ? t : -most;
}

/// 1 / (1 + e^-t), by powers of two times a polynomial on [-ln 2 / 2, ln 2 / 2]. @pre t within kFarthest
static inline void take_logistic(FourPoints& t) {
  constexpr double shift = 0x1.8p52;  // adding it rounds to an integer, kept in the lowest bits
  constexpr double log2_e = 1.4426950408889634;
  constexpr double ln2 = 0.6931471805599453;
  const FourPoints x = -t;
  const FourPoints shifted = x * log2_e + shift;
  const FourPoints r = x - (shifted - shift) * ln2;
  const FourPoints square = r * r;
  // Pairs of terms, so that fewer of them wait for each other.
  const FourPoints low = (1.0 + r) + square * (0.5 + r * (1.0 / 6));
  const FourPoints high = (1.0 / 24 + r * (1.0 / 120)) + square * (1.0 / 720 + r * (1.0 / 5040));
  const FourPoints p = low + square * square * high;
  FourPointBits bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  bits = (bits + 1023) << 52;
  FourPoints power;
  std::memcpy(&power, &bits, sizeof power);
  t = 1.0 / (1.0 + power * p);
}

static void logistic_block(const double* x, std::size_t columns, const double* theta, double* p) {
  constexpr std::size_t kPoints = PointBlocks::kPoints;
  double reach = 0;
  for (std::size_t j = 0; j < columns; ++j) reach += theta[j] < 0 ? -theta[j] : theta[j];
  for (std::size_t i = 0; i < kPoints; i += 16) {
    FourPoints a{};
    FourPoints b{};
    FourPoints c{};
    FourPoints d{};
    for (std::size_t j = 0; j < columns; ++j) {
      const double* column = x + j * kPoints + i;
      add_times(a, theta[j], column);
      add_times(b, theta[j], column + 4);
      add_times(c, theta[j], column + 8);
      add_times(d, theta[j], column + 12);
    }
    FourPoints out[4] = {a, b, c, d};  // NOLINT(*-avoid-c-arrays)
    for (FourPoints& one : out) {
      if (!(reach < kFarthest)) cut_off(one);
      take_logistic(one);
    }
    std::memcpy(p + i, out, sizeof out);
  }
}

static void logistic_sums_any(const PointBlocks& points, const double* theta, double* out) {
  constexpr std::size_t kPoints = PointBlocks::kPoints;
  double p[kPoints];  // NOLINT(*-avoid-c-arrays)
  for (std::size_t j = 0; j < points.columns; ++j) out[j] = 0;
  for (std::size_t block = 0; block < points.blocks; ++block) {
    const double* x = points.x + block * points.columns * kPoints;
    logistic_block(x, points.columns, theta, p);
    for (std::size_t j = 0; j < points.columns; ++j) {
      const double* column = x + j * kPoints;
      FourPoints a{};
      FourPoints b{};
      FourPoints c{};
      FourPoints d{};
      for (std::size_t i = 0; i < kPoints; i += 16) {
        add_products(a, p + i, column + i);
        add_products(b, p + i + 4, column + i + 4);
        add_products(c, p + i + 8, column + i + 8);
        add_products(d, p + i + 12, column + i + 12);
      }
      const FourPoints sum = (a + b) + (c + d);
      out[j] += (sum[0] + sum[2]) + (sum[1] + sum[3]);
    }
  }
}

}  // namespace postern::infer
