#pragma once

#include <array>
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

/// Counter-based generator (Philox4x32-10, Salmon et al. 2011) for inference and simulation, never for noise.
/// Streams (seed, stream, purpose) are independent, so results do not depend on the number of threads.
class Rng {
 public:
  using result_type = std::uint64_t;
  Rng(std::uint64_t seed, std::uint32_t stream, Purpose purpose);
  std::uint64_t operator()();
  [[nodiscard]] double uniform();  ///< in (0, 1), never 0 or 1
  static constexpr std::uint64_t min() { return 0; }
  static constexpr std::uint64_t max() { return ~std::uint64_t{0}; }

 private:
  std::array<std::uint32_t, 2> key_{};
  std::array<std::uint32_t, 4> counter_{};
  std::array<std::uint64_t, 2> block_{};
  int used_ = 2;
};

}  // namespace postern
