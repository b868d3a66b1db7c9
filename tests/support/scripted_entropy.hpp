#pragma once

#include <cstdint>
#include <span>

#include "postern/core/rng.hpp"
#include "postern/owner/entropy.hpp"

namespace postern::owner {

/// Repeatable bytes for sampler tests. Lives in tests only: no seeded noise source can be linked into the
/// program.
class ScriptedEntropy final : public Entropy {
 public:
  explicit ScriptedEntropy(std::uint64_t seed) : Entropy(NoKernel{}), rng_(seed, 0, Purpose::test) {}
  void fill(std::span<std::uint8_t> out) override {
    std::size_t i = 0;
    served_ += out.size();
    while (i < out.size()) {
      std::uint64_t word = rng_();
      for (int j = 0; j < 8 && i < out.size(); ++j, word >>= 8) out[i++] = static_cast<std::uint8_t>(word);
    }
  }
  void rekey() override {}
  /// Bytes that were given out.
  [[nodiscard]] std::size_t served() const { return served_; }

 private:
  Rng rng_;
  std::size_t served_ = 0;
};

}  // namespace postern::owner
