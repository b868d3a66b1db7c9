#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "postern/core/int128.hpp"
#include "postern/core/rational.hpp"
#include "postern/owner/bernoulli.hpp"
#include "postern/owner/entropy.hpp"

namespace postern::owner {

/// Draws of the discrete Laplace law as magnitudes and signs, many at once. Why they have exactly that law:
/// discrete_laplace.md.
///
/// Sixteen draws are a group; a group reads one row of sixteen 16-bit lanes for each of its digits+3
/// variables: the binary digits of |x|-1, the tail, "is zero", and the sign. Which byte decides what is fixed
/// by this layout alone, so every instruction set draws the same numbers from the same bytes.
class LaplaceDigits {
 public:
  static constexpr std::size_t kGroup = 16;
  static constexpr std::size_t kMostDraws = 512;
  static constexpr std::size_t kBufferLanes = 8192;  // 16 KiB, one block of the generator

  struct Outlier {
    std::size_t index;
    Uint128 magnitude;
  };
  /// The first `count` draws are set. A magnitude past 2^63 stands in `outliers`, which are in order of
  /// index. What was drawn is erased with the block.
  struct Block {
    Block() = default;
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    ~Block();

    alignas(32) std::array<std::uint64_t, kMostDraws> magnitude;
    alignas(32) std::array<std::uint64_t, kMostDraws> negative;  // all ones or zero
    std::vector<Outlier> outliers;
    std::size_t count = 0;

   private:
    friend class LaplaceDigits;
    std::size_t most_draws_ = 0;
    std::size_t most_lanes_ = 0;
    alignas(32) std::array<std::uint16_t, kBufferLanes> lanes_;
  };

  /// Fails: bad_value if lambda <= 0; unsupported if lambda < 2^-96, whose draws would not fit 128 bits.
  explicit LaplaceDigits(const Rational& lambda);
  /// Sets `wanted` draws, rounded up to whole groups, or as many as one buffer of randomness gives.
  void draw(std::size_t wanted, Block& block, Entropy& entropy) const;

 private:
  [[nodiscard]] std::size_t rows() const { return digits_ + 3; }
  [[nodiscard]] std::size_t begin(std::size_t wanted, Block& block, Entropy& entropy) const;
  [[nodiscard]] bool decide(std::size_t row, const std::uint16_t* lane, Entropy& entropy) const;
  [[nodiscard]] bool has_tie(const std::uint16_t* lane) const;
  void draw_alone(std::size_t index, const std::uint16_t* lane, Block& block, Entropy& entropy) const;

  std::size_t digits_ = 0;
  std::vector<LazyBernoulli> variables_;  // the digits, the tail, zero
  std::vector<std::int16_t> thresholds_;  // their first levels, as lanes are compared with them
};

}  // namespace postern::owner
