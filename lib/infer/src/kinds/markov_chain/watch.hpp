#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "noise_check/noise_watch.hpp"
#include "problem.hpp"

namespace postern::infer {

/// Looks at counts of first states and of transitions as what is behind a chain's releases. Both tables may
/// be drawn at once, or the second after the first: draws are then paired in their order.
class ChainWatch {
 public:
  ChainWatch(const release::RecordSet& releases, const Posterior& out, const InferOptions& options);

  [[nodiscard]] bool wants(std::size_t draw) const { return watch_.wants(draw); }
  /// Counts of first states, and of the cells of both families of the transitions' network.
  void see(std::size_t chain, std::span<const double> initial, std::span<const double> moves);
  /// For chains on the first states, and then for chains on transitions. This must outlive both.
  [[nodiscard]] LatentWatch of_initial();
  [[nodiscard]] LatentWatch of_moves();
  void tell(Posterior& out) const { watch_.tell(out); }

 private:
  /// A released value is `parts` times a count.
  struct Place {
    bool moves = false;
    std::size_t cell = 0;
    double parts = 1;
  };
  /// What chains on the first states told, and how many of it were paired.
  struct Kept {
    std::vector<std::vector<double>> counts;
    std::size_t paired = 0;
  };

  NoiseWatch watch_;
  std::vector<Place> places_;
  std::vector<Kept> kept_;  ///< of each chain
  std::size_t states_;
};

}  // namespace postern::infer
