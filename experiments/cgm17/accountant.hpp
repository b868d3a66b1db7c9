#pragma once

namespace postern::cgm17 {

/// Noisy sums of random batches: each record is in a batch with probability `rate`, independently, and the
/// sum gets normal noise of deviation `noise` times what one record can move it, in L2.
struct Subsampled {
  double noise = 1;
  double rate = 1;
  int steps = 1;
};

/// The least epsilon that Renyi divergences of whole orders show, for a record added or removed
/// (Abadi et al. 2016, with the exact divergence of the subsampled Gaussian at whole orders).
[[nodiscard]] double epsilon_of(const Subsampled& sums, double delta);
/// The noise for an epsilon; infinity if no noise up to 10^4 attains it.
[[nodiscard]] double noise_for(double epsilon, double delta, double rate, int steps);

}  // namespace postern::cgm17
