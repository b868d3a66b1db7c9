#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace postern::owner {

/// The only source of randomness for noise: an OpenSSL ChaCha20 keystream with fast key erasure, seeded by
/// getrandom, wiped on fork. There is no seed parameter. Not for use by two threads at once.
/// (entropy.md, docs/decisions/no-noise-seeds.md) Fails: entropy_failed, before anything is charged, if the
/// kernel gives no randomness.
class Entropy {
 public:
  Entropy();
  virtual ~Entropy();
  Entropy(const Entropy&) = delete;
  Entropy& operator=(const Entropy&) = delete;
  /// Fills `out` with fresh bytes; served bytes are erased from the state.
  virtual void fill(std::span<std::uint8_t> out);
  /// Mixes 32 fresh kernel bytes into the key; called at every release.
  virtual void rekey();

 private:
  struct State;
  std::unique_ptr<State> state_;

 protected:
  struct NoKernel {};
  explicit Entropy(NoKernel);  ///< for the test-only scripted source, which lives in tests/support
};

}  // namespace postern::owner
