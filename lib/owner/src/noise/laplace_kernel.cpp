#include "postern/owner/laplace_kernel.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "postern/owner/bernoulli.hpp"

namespace postern::owner {
namespace {

constexpr std::size_t kLanes = 16;
constexpr int kUnusedBits = 16 - static_cast<int>(kFirstBits);  // of a lane; none but in the short build
constexpr int kBias = 1 << (kFirstBits - 1);

typedef std::int16_t Lanes __attribute__((vector_size(32)));   // NOLINT(modernize-use-using)
typedef std::uint16_t Bits __attribute__((vector_size(32)));   // NOLINT(modernize-use-using)
typedef std::uint64_t Words __attribute__((vector_size(32)));  // NOLINT(modernize-use-using)

/// One group. `row` walks over its rows; each digit sets one bit of one of four 16-bit accumulators.
[[gnu::always_inline]] inline void fold_group(const LaplaceFold& work, std::size_t group) {
  const std::uint16_t* row = work.lanes + group * (work.digits + 3) * kLanes;
  const std::int16_t* threshold = work.thresholds;
  std::array<std::array<std::uint16_t, kLanes>, 6> out{};  // four accumulators, nonzero, negative
  Lanes tie{};
  Lanes r;
  for (std::size_t word = 0; word * kLanes < work.digits; ++word) {
    Bits bits{};
    Bits bit = Bits{} + std::uint16_t{1};
    const std::size_t end = std::min(work.digits, (word + 1) * kLanes);
    for (std::size_t i = word * kLanes; i < end; ++i, row += kLanes, ++threshold) {
      std::memcpy(&r, row, sizeof r);
      r >>= kUnusedBits;
      bits |= reinterpret_cast<Bits>(r < *threshold) & bit;
      tie |= r == *threshold;
      bit += bit;
    }
    std::memcpy(out[word].data(), &bits, sizeof bits);
  }
  std::memcpy(&r, row, sizeof r);  // the tail: its first level is 0, so that only a tie can make it true
  r >>= kUnusedBits;
  tie |= r == threshold[0];
  std::memcpy(&r, row + kLanes, sizeof r);
  r >>= kUnusedBits;
  const Lanes nonzero = r >= threshold[1];
  tie |= r == threshold[1];
  std::memcpy(&r, row + 2 * kLanes, sizeof r);
  const Lanes negative = -(r & 1);
  std::memcpy(out[4].data(), &nonzero, sizeof nonzero);
  std::memcpy(out[5].data(), &negative, sizeof negative);
  for (std::size_t j = 0; j < kLanes; ++j) {
    const std::uint64_t g = out[0][j] | std::uint64_t{out[1][j]} << 16 | std::uint64_t{out[2][j]} << 32 |
                            std::uint64_t{out[3][j]} << 48;
    const auto widen = [](std::uint16_t mask) { return -std::uint64_t{mask & 1u}; };
    work.magnitude[group * kLanes + j] = (g + 1) & widen(out[4][j]);
    work.negative[group * kLanes + j] = widen(out[5][j]);
  }
  Words any;
  std::memcpy(&any, &tie, sizeof any);
  work.tied[group] = (any[0] | any[1] | any[2] | any[3]) != 0 ? 1 : 0;
}

void fold_portable(const LaplaceFold& work) {
  for (std::size_t group = 0; group < work.groups; ++group) fold_group(work, group);
}

#ifdef __x86_64__
[[gnu::target("avx2")]] void fold_avx2(const LaplaceFold& work) {
  for (std::size_t group = 0; group < work.groups; ++group) fold_group(work, group);
}
#endif

}  // namespace

std::int16_t biased_threshold(std::uint16_t first_level) {
  return static_cast<std::int16_t>(first_level - kBias);
}

std::int16_t biased_lane(std::uint16_t lane) {
  return static_cast<std::int16_t>(static_cast<std::int16_t>(lane) >> kUnusedBits);
}

bool runs_here(FoldVariant variant) {
#ifdef __x86_64__
  return variant == FoldVariant::portable || __builtin_cpu_supports("avx2");
#else
  return variant == FoldVariant::portable;
#endif
}

FoldVariant fastest_variant() {
  return runs_here(FoldVariant::avx2) ? FoldVariant::avx2 : FoldVariant::portable;
}

void fold(FoldVariant variant, const LaplaceFold& work) {
#ifdef __x86_64__
  if (variant == FoldVariant::avx2) return fold_avx2(work);
#endif
  (void)variant;
  fold_portable(work);
}

}  // namespace postern::owner
