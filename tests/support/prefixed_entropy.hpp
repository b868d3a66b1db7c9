#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/owner/entropy.hpp"

namespace postern::owner {

/// Serves given bytes first, to force a sampler down a chosen path, then repeatable pseudo-random ones. Tests
/// only.
class PrefixedEntropy final : public Entropy {
 public:
  explicit PrefixedEntropy(std::vector<std::uint8_t> prefix)
      : Entropy(NoKernel{}), prefix_(std::move(prefix)), rng_(1, 0, Purpose::test) {}
  void fill(std::span<std::uint8_t> out) override {
    for (std::uint8_t& byte : out) byte = served_ < prefix_.size() ? prefix_[served_++] : next();
  }
  void rekey() override {}
  /// All given bytes have been asked for.
  [[nodiscard]] bool exhausted() const { return served_ == prefix_.size(); }

 private:
  std::uint8_t next() { return static_cast<std::uint8_t>(rng_()); }

  std::vector<std::uint8_t> prefix_;
  std::size_t served_ = 0;
  Rng rng_;
};

}  // namespace postern::owner
