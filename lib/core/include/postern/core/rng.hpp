#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace postern {

/// What a stream is for, so that two uses of one seed never share numbers.
enum class Purpose : std::uint32_t {
  draws = 1,
  simulation = 2,
  prediction = 3,
  synthesis = 4,
  calibration = 5,
  plan = 6,
  test = 99
};

/// One block of Philox4x32-10: a bijection of the counter, chosen by the key (Salmon et al. 2011,
/// section 3.3).
[[nodiscard]] std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                                      std::array<std::uint32_t, 2> key);

/// Counter-based generator (Philox4x32-10, Salmon et al. 2011) for inference and simulation, never for noise.
/// Streams (seed, stream, purpose) are independent, so results do not depend on the number of threads.
/// The seed is the key; the counter is (block number, stream, purpose), so two streams never share a block.
class Rng {
 public:
  using result_type = std::uint64_t;
  Rng(std::uint64_t seed, std::uint32_t stream, Purpose purpose);
  std::uint64_t operator()() {
    if (used_ == words_.size()) refill();
    return words_[used_++];
  }
  /// In (0, 1), never 0 or 1: the midpoint of one of 2^52 equal cells.
  [[nodiscard]] double uniform() { return (static_cast<double>((*this)() >> 12) + 0.5) * 0x1p-52; }
  static constexpr std::uint64_t min() { return 0; }
  static constexpr std::uint64_t max() { return ~std::uint64_t{0}; }

 private:
  void refill();

  std::array<std::uint32_t, 2> key_{};
  std::uint32_t stream_;
  std::uint32_t purpose_;
  std::uint64_t block_ = 0;                ///< the next one to make
  std::array<std::uint64_t, 16> words_{};  ///< of eight blocks
  std::size_t used_ = 16;
};

}  // namespace postern
