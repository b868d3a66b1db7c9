#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "postern/infer/chains/latent_watch.hpp"
#include "postern/infer/implied_noise.hpp"
#include "postern/infer/infer.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// Collects what draws say is behind every released block, and holds the noise that this implies against the
/// law of the noise.
///
/// An engine hands it *latent values*, draw by draw: those that noise was added to, in the order of the sets,
/// of their releases, of these releases' blocks and of the blocks' values. Choices among candidates have
/// none. A value that a draw does not tell is NaN, in all draws: its block is not checked.
///
/// Why this is a test: under the model a draw is exchangeable with the truth, so that the average of a tail
/// probability over draws is at most a with probability at most 2 a (Meng 1994), and the exponential moments
/// of the mean noise are at most those of the noise (Jensen).
class NoiseWatch {
 public:
  /// For the draws of a posterior that was started, if the options have the noise checked.
  NoiseWatch(const std::vector<release::RecordSet>& sets, const Posterior& out, const InferOptions& options);
  NoiseWatch(const std::vector<release::RecordSet>& sets, std::size_t chains, std::size_t draws);
  ~NoiseWatch();
  NoiseWatch(const NoiseWatch&) = delete;
  NoiseWatch& operator=(const NoiseWatch&) = delete;

  /// How many latent values there are; 0 where nobody looks.
  [[nodiscard]] std::size_t size() const;
  /// Is the i-th draw of a chain looked at? Some hundred draws are enough.
  [[nodiscard]] bool wants(std::size_t draw) const;
  /// Chains may be seen at the same time.
  void see(std::size_t chain, std::span<const double> latent);
  /// For engines that run chains. The watch must outlive it.
  [[nodiscard]] LatentWatch for_chains();

  /// What was found, of all chains together, into the posterior. Nothing where nobody looked, or no draw
  /// told.
  void tell(Posterior& out) const;
  [[nodiscard]] ImpliedNoise result() const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace postern::infer
